// The crawler that stands for spider-rs in docs.py: follow every link of the seeds' hosts, keep nothing.
//
//     node spider_crawler.mjs DIRECTORY PROXY SEED...
//
// DIRECTORY has the package, in node_modules. The documentation server is its proxy, because it takes no addresses for
// host names. It crawls one site at a time, so all sites are crawled at once.

import { createRequire } from 'node:module'

const [directory, proxy, ...seeds] = process.argv.slice(2)
const { Website } = createRequire(`${directory}/`)('@spider-rs/spider-rs')

await Promise.all(
  seeds.map((seed) => new Website(seed).withProxies([proxy]).withRespectRobotsTxt(true).build().crawl()),
)
