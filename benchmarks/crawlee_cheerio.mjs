// Crawlee of npm in comparison/: follow every link of the seeds' hosts with Cheerio, keep nothing.
//
//     node crawlee_cheerio.mjs [--delay=S] [--timeout=S] [--state [--resume]] SEED...
//
// crawlee is in .venv-bench/node_modules. --state keeps the queue of requests on the disk.
import { createRequire } from "node:module";
import { parseArgs } from "node:util";

const require = createRequire(`${process.env.BENCH_MODULES}/`);
const { CheerioCrawler, Configuration, log } = require("crawlee");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    delay: { type: "string", default: "0" },
    timeout: { type: "string", default: "0" },
    state: { type: "boolean", default: false },
    resume: { type: "boolean", default: false },
  },
});
log.setLevel(log.LEVELS.ERROR);
const timeout = Number(values.timeout);
const crawler = new CheerioCrawler({
  minConcurrency: 16,
  maxConcurrency: 32,
  sameDomainDelaySecs: Number(values.delay),
  maxRequestRetries: timeout ? 1 : 0,
  ...(timeout ? { navigationTimeoutSecs: 2 * timeout } : {}),
  respectRobotsTxtFile: true,
  useSessionPool: false,
  async requestHandler({ enqueueLinks }) {
    await enqueueLinks({ strategy: "same-hostname" });
  },
}, new Configuration({ persistStorage: values.state, purgeOnStart: !values.resume, availableMemoryRatio: 0.5 }));
await crawler.run(positionals);
