// Crawlee of npm in browser.py: every page in Chromium, its text and links after scripts.
//
//     node crawlee_browser.mjs CHROMIUM HOST ADDRESS OUTPUT SEED
//
// Like ttcrawl, it waits until no request was made for half a second. OUTPUT gets a line of JSON for each page: its URL
// and its text. crawlee and playwright are in .venv-bench/node_modules.
import { appendFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(`${process.env.BENCH_MODULES}/`);
const { Configuration, PlaywrightCrawler } = require("crawlee");
const [program, host, address, output, seed] = process.argv.slice(2);

const crawler = new PlaywrightCrawler({
  minConcurrency: 2,
  maxConcurrency: 2,
  maxRequestRetries: 0,
  useSessionPool: false,
  browserPoolOptions: { useFingerprints: false },
  launchContext: {
    launchOptions: {
      executablePath: program, chromiumSandbox: false, args: [`--host-resolver-rules=MAP ${host} ${address}`],
      proxy: { server: "http://127.0.0.1:9", bypass: host }, // instead of its own, which resolves names itself
    },
  },
  async requestHandler({ request, page, enqueueLinks }) {
    await page.waitForLoadState("networkidle");
    appendFileSync(output, JSON.stringify([request.url, await page.innerText("body")]) + "\n");
    await enqueueLinks({ strategy: "same-hostname" });
  },
}, new Configuration({ persistStorage: false, availableMemoryRatio: 0.9 }));
await crawler.run([seed]);
