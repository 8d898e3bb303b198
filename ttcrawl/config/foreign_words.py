"""Options and keys of other crawlers, and what they are here: people type what they know."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ForeignWord:
    """Words of one meaning. `ours` is what to write here; "" if it is not possible.

    Short options have their case. In others, case and the signs between words do not matter. `page` is a page of the
    manual, "" if the answer needs none.
    """

    tools: str
    words: str
    ours: str
    page: str = ""

    def __str__(self) -> str:
        see = f"docs/{self.page}" if self.page else ""
        if not self.ours:
            return f"{self.tools}: not possible, see {see}"
        return f"{self.tools}: {self.ours}{f', see {see}' if see else ''}"


_DEPTH = "--max-depth N, or [crawl] max_depth"
_DELAY = "[politeness] delay, in seconds"
_LOGIN = "[fetch] login = HOST=USER:PASSWORD"
_ALWAYS = "links are always followed, as far as --scope says"
_OBEYED = "robots.txt is always obeyed"
_AGENT = "--user-agent TEXT, or [agent] user_agent"
_HEADERS = "--header HEADER, or [fetch] headers"
_CONTACT = "[agent] contact"
_RETRIES = "[fetch] retries"
_BODY = "[fetch] max_body"
_TIMEOUT = "[fetch] total_timeout, in seconds"
_THREADS = "[crawl] threads and fetchers"
_PAGES = "--max-pages N, or [crawl] max_pages"
_TIME = "--max-time N, or [crawl] max_time"
_BYTES = "[crawl] max_bytes"
_REDIRECTS = "[scope] max_redirects"
_OUTLINKS = "[traps] urls_per_page"
_RESUME = "ttcrawl resume DIR"
_RECRAWL = "ttcrawl recrawl DIR"
_DIRECTORY = "-d DIR"
_IMPOSSIBLE = "from-others.md#what-is-not-possible"
_PACE = "guides/politeness.md#before-a-large-crawl"

WORDS = (
    # -- curl and wget: https://curl.se/docs/manpage.html, https://www.gnu.org/software/wget/manual/wget.html
    ForeignWord("curl", "-H", _HEADERS),
    ForeignWord("wget", "-H --span-hosts", "--scope any", "scope.md"),
    ForeignWord("curl", "-A", _AGENT),
    ForeignWord("wget", "-U", _AGENT),
    ForeignWord("wget", "-A --accept --accept-regex -I --include-directories", "--allow PATTERN", "scope.md"),
    ForeignWord(
        "wget", "-R --reject --reject-regex -X --exclude-directories --exclude-domains", "--exclude PATTERN", "scope.md"
    ),
    ForeignWord("wget", "-r --recursive", _ALWAYS),
    ForeignWord("wget", "-m --mirror", f"{_ALWAYS}; {_RECRAWL} visits pages again"),
    ForeignWord("wget", "-l --level", _DEPTH),
    ForeignWord("wget", "-np --no-parent", "--scope directory"),
    ForeignWord("wget", "-D --domains", "[scope] domains, with --scope list"),
    ForeignWord("wget", "-p", "--page-requisites"),
    ForeignWord("wget", "-w --wait", _DELAY),
    ForeignWord("wget", "--random-wait", f"{_DELAY}; it is never shorter by chance"),
    ForeignWord("wget", "--waitretry", "[fetch] retry_wait, in seconds"),
    ForeignWord("wget", "-t --tries", _RETRIES),
    ForeignWord("curl", "--retry", _RETRIES),
    ForeignWord("wget", "-T --timeout", "[fetch] connect_timeout and read_timeout, in seconds"),
    ForeignWord("curl", "-m", _TIMEOUT),
    ForeignWord("wget", "-Q --quota", _BYTES),
    ForeignWord("curl", "--max-filesize", _BODY),
    ForeignWord("curl", "--limit-rate", "", _PACE),
    ForeignWord("wget", "--limit-rate", "", _PACE),
    ForeignWord("wget", "-k --convert-links -E --adjust-extension -K --backup-converted", "", "guides/archive.md"),
    ForeignWord("curl", "-k --insecure", "[fetch] verify_tls = no"),
    ForeignWord("wget", "--no-check-certificate", "[fetch] verify_tls = no"),
    ForeignWord("curl", "-L --location", f"redirects are always followed: {_REDIRECTS}"),
    ForeignWord("curl", "--max-redirs", _REDIRECTS),
    ForeignWord("wget", "--max-redirect", _REDIRECTS),
    ForeignWord("curl", "-u --user", _LOGIN),
    ForeignWord("wget", "--user --password --http-user --http-password", _LOGIN),
    ForeignWord("curl", "--digest", "[fetch] login = digest:HOST=USER:PASSWORD", "guides/behind-a-login.md"),
    ForeignWord("curl", "--oauth2-bearer", "[fetch] login = bearer:HOST=TOKEN", "guides/behind-a-login.md"),
    ForeignWord("curl", "-E --cert --key", "[login] certificates", "guides/behind-a-login.md"),
    ForeignWord("wget", "--certificate --private-key", "[login] certificates", "guides/behind-a-login.md"),
    ForeignWord("curl", "-x", "[fetch] proxy"),
    ForeignWord("curl", "-b --cookie", "--cookies FILE", "guides/behind-a-login.md"),
    ForeignWord("curl", "--cookie-jar", "--save-cookies FILE"),
    ForeignWord("wget", "--load-cookies", "--cookies FILE"),
    ForeignWord("wget", "--keep-session-cookies --no-cookies", "[fetch] cookies"),
    ForeignWord("curl", "-X --request --data -F --form", "", _IMPOSSIBLE),
    ForeignWord("wget", "--post-data --post-file --method --body-data", "", _IMPOSSIBLE),
    ForeignWord("curl, wget", "--referer", _HEADERS),
    ForeignWord("curl", "-I --head", "[fetch] head_first"),
    ForeignWord("wget", "-i --input-file", "--seeds FILE", "seeds.md"),
    ForeignWord("wget", "-P --directory-prefix", _DIRECTORY),
    ForeignWord("curl", "-o --output --output-dir", f"{_DIRECTORY}; ttcrawl export DIR writes files"),
    ForeignWord("wget", "-O --output-document", f"{_DIRECTORY}; ttcrawl page DIR URL --body writes one page"),
    ForeignWord("curl", "-O --remote-name", "--files", "files.md"),
    ForeignWord("curl", "-s --silent", "--progress none"),
    ForeignWord("wget", "-nv --no-verbose -o --output-file", "--progress none"),
    ForeignWord("wget", "-N --timestamping", _RECRAWL),
    ForeignWord("wget", "--continue -nc --no-clobber", _RESUME),
    ForeignWord("wget", "-e --execute", f"[politeness] robots decides how robots.txt is read; {_OBEYED}", "faq.md"),
    ForeignWord("wget", "--spider", "ttcrawl check SEED", "check.md"),
    ForeignWord("wget", "--warc-file --warc-cdx --save-headers", "WARC files are always written", "guides/archive.md"),
    ForeignWord("wget", "--follow-tags --ignore-tags", "[links] kinds", "links.md"),
    ForeignWord("wget2", "--max-threads", _THREADS),
    ForeignWord("wget2", "--follow-sitemaps", "[sitemaps] use", "sitemaps.md"),
    ForeignWord("wget2", "--robots", _OBEYED, "faq.md"),
    # -- HTTrack: https://www.httrack.com/html/fcguide.html
    ForeignWord("HTTrack", "--depth", _DEPTH),
    ForeignWord("HTTrack", "--ext-depth", "--allow PATTERN, with a condition hops:", "scope.md"),
    ForeignWord("HTTrack", "--max-rate", "", _PACE),
    ForeignWord("HTTrack", "--sockets", _THREADS),
    ForeignWord("HTTrack", "--robots", _OBEYED, "faq.md"),
    ForeignWord("HTTrack", "-F", _AGENT),
    ForeignWord("HTTrack", "--stay-on-same-dir", "--scope directory"),
    ForeignWord("HTTrack", "--stay-on-same-address", "--scope host"),
    ForeignWord("HTTrack", "--stay-on-same-domain", "--scope domain"),
    ForeignWord("HTTrack", "--go-everywhere", "--scope any", "scope.md"),
    ForeignWord("HTTrack", "-n --near", "--page-requisites"),
    ForeignWord("HTTrack", "--max-files", _BODY),
    ForeignWord("HTTrack", "--max-size", _BYTES),
    ForeignWord("HTTrack", "--timeout", _TIMEOUT),
    ForeignWord("HTTrack", "--list", "--seeds FILE", "seeds.md"),
    ForeignWord("HTTrack", "--path", _DIRECTORY),
    ForeignWord("HTTrack", "--mirror", _ALWAYS),
    ForeignWord("HTTrack", "--update", _RECRAWL),
    ForeignWord("HTTrack", "--continue", _RESUME),
    # -- Scrapy: https://docs.scrapy.org/en/latest/topics/settings.html
    ForeignWord("Scrapy", "USER_AGENT", _AGENT),
    ForeignWord("Scrapy", "ROBOTSTXT_OBEY", _OBEYED, "faq.md"),
    ForeignWord("Scrapy", "DOWNLOAD_DELAY", _DELAY),
    ForeignWord("Scrapy", "RANDOMIZE_DOWNLOAD_DELAY", f"{_DELAY}; it is never shorter by chance"),
    ForeignWord("Scrapy", "CONCURRENT_REQUESTS", _THREADS),
    ForeignWord("Scrapy", "CONCURRENT_REQUESTS_PER_DOMAIN", "[politeness] connections, with --no-obey-delay"),
    ForeignWord("Scrapy", "CONCURRENT_REQUESTS_PER_IP", "[politeness] address_delay, in seconds"),
    ForeignWord("Scrapy", "AUTOTHROTTLE_ENABLED AUTOTHROTTLE_TARGET_CONCURRENCY", "[politeness] delay_factor"),
    ForeignWord("Scrapy", "AUTOTHROTTLE_MAX_DELAY", "[politeness] max_delay, in seconds"),
    ForeignWord("Scrapy", "DEPTH_LIMIT", _DEPTH),
    ForeignWord("Scrapy", "DEPTH_PRIORITY", "[frontier] priority"),
    ForeignWord("Scrapy", "CLOSESPIDER_PAGECOUNT CLOSESPIDER_ITEMCOUNT", _PAGES),
    ForeignWord("Scrapy", "CLOSESPIDER_TIMEOUT", _TIME),
    ForeignWord("Scrapy", "COOKIES_ENABLED", "[fetch] cookies"),
    ForeignWord("Scrapy", "DEFAULT_REQUEST_HEADERS", _HEADERS),
    ForeignWord("Scrapy", "DOWNLOAD_TIMEOUT", _TIMEOUT),
    ForeignWord("Scrapy", "DOWNLOAD_MAXSIZE", _BODY),
    ForeignWord("Scrapy", "RETRY_TIMES RETRY_ENABLED", _RETRIES),
    ForeignWord("Scrapy", "REDIRECT_MAX_TIMES REDIRECT_ENABLED", _REDIRECTS),
    ForeignWord("Scrapy", "URLLENGTH_LIMIT", "[scope] max_url"),
    ForeignWord("Scrapy", "ALLOWED_DOMAINS", "[scope] domains, with --scope list"),
    ForeignWord("Scrapy", "START_URLS", "seeds, on the command line or with --seeds FILE", "seeds.md"),
    ForeignWord("Scrapy", "HTTPCACHE_ENABLED", "WARC files are always written", "guides/archive.md"),
    ForeignWord("Scrapy", "JOBDIR", _RESUME),
    ForeignWord("Scrapy", "DUPEFILTER_CLASS", "[url] decides which URLs are equal", "duplicates.md"),
    ForeignWord("Scrapy", "ITEM_PIPELINES FEEDS", "[hooks] page", "hooks.md"),
    ForeignWord("Scrapy", "LOG_LEVEL LOG_ENABLED", "--progress plain"),
    # -- Heritrix: https://heritrix.readthedocs.io/en/latest/bean-reference.html
    ForeignWord("Heritrix", "maxHops", _DEPTH),
    ForeignWord("Heritrix", "maxTransHops", "--page-requisites", "links.md#page-requisites"),
    ForeignWord("Heritrix", "delayFactor", "[politeness] delay_factor"),
    ForeignWord("Heritrix", "minDelayMs", _DELAY),
    ForeignWord("Heritrix", "maxDelayMs respectCrawlDelayUpToSeconds", "[politeness] max_delay, in seconds"),
    ForeignWord("Heritrix", "operatorContactUrl operatorFrom", _CONTACT),
    ForeignWord("Heritrix", "userAgentTemplate", _AGENT),
    ForeignWord("Heritrix", "robotsPolicyName", _OBEYED, "faq.md"),
    ForeignWord("Heritrix", "maxToeThreads", _THREADS),
    ForeignWord("Heritrix", "maxRetries", _RETRIES),
    ForeignWord("Heritrix", "retryDelaySeconds", "[fetch] retry_wait, in seconds"),
    ForeignWord("Heritrix", "maxDocumentsDownload", _PAGES),
    ForeignWord("Heritrix", "maxBytesDownload", _BYTES),
    ForeignWord("Heritrix", "maxTimeSeconds", _TIME),
    ForeignWord("Heritrix", "maxLengthBytes", _BODY),
    ForeignWord("Heritrix", "timeoutSeconds", _TIMEOUT),
    ForeignWord("Heritrix", "maxOutlinks", _OUTLINKS),
    ForeignWord("Heritrix", "maxPathDepth", "[traps] max_segments"),
    ForeignWord("Heritrix", "maxRepetitions", "[traps] repeats"),
    ForeignWord("Heritrix", "maxFileSizeBytes", "[store] warc_size"),
    ForeignWord("Heritrix", "maxFetchKBSec maxPerHostBandwidthUsageKbSec", "", _PACE),
    # -- Nutch: conf/nutch-default.xml
    ForeignWord("Nutch", "http.agent.name", "[agent] name"),
    ForeignWord("Nutch", "http.agent.url http.agent.email", _CONTACT),
    ForeignWord("Nutch", "http.content.limit", _BODY),
    ForeignWord("Nutch", "http.timeout", _TIMEOUT),
    ForeignWord("Nutch", "http.redirect.max", _REDIRECTS),
    ForeignWord("Nutch", "http.proxy.host http.proxy.port", "[fetch] proxy"),
    ForeignWord("Nutch", "http.robot.rules.allowlist http.robot.rules.whitelist", _OBEYED, "faq.md"),
    ForeignWord("Nutch", "fetcher.server.delay fetcher.server.min.delay", _DELAY),
    ForeignWord("Nutch", "fetcher.max.crawl.delay", "[politeness] max_delay, in seconds"),
    ForeignWord("Nutch", "fetcher.threads.fetch", _THREADS),
    ForeignWord("Nutch", "fetcher.threads.per.queue", "[politeness] connections, with --no-obey-delay"),
    ForeignWord("Nutch", "db.max.outlinks.per.page", _OUTLINKS),
    ForeignWord("Nutch", "db.fetch.interval.default", "[revisit] interval, in seconds", "recrawl.md"),
    ForeignWord("Nutch", "db.fetch.retry.max", _RETRIES),
    ForeignWord("Nutch", "db.ignore.external.links", "--scope host"),
    ForeignWord("Nutch", "generate.max.count", "[traps] pages_per_host"),
    # -- Combine: its manual, Configuration variables
    ForeignWord("Combine", "Operator-Email", _CONTACT),
    ForeignWord("Combine", "WaitIntervalHost", _DELAY),
    ForeignWord("Combine", "maxUrlLength", "[scope] max_url"),
    ForeignWord("Combine", "httpProxy", "[fetch] proxy"),
    ForeignWord("Combine", "HarvestRetries", _RETRIES),
    ForeignWord("Combine", "UAtimeout", _TIMEOUT),
    ForeignWord("Combine", "UserAgentFollowRedirects", _REDIRECTS),
    ForeignWord("Combine", "AutoRecycleLinks", "[links] new", "recrawl.md#new-links-only-recorded"),
    ForeignWord("Combine", "doAnalyse", "[record] language"),
    ForeignWord("Combine", "doCheckRecord classifyPlugIn", "[topic] terms", "topic.md#compatible-with-combine"),
    ForeignWord("Combine", "MySQLdatabase", "[postgresql] url", "postgresql.md"),
    ForeignWord("Combine", "ZebraHost", "ttcrawl export DIR --format alvis", "guides/zebra.md"),
)


def foreign_hint(word: str) -> str:
    """Return a hint to what a word of another crawler is here, "" if it is none.

    >>> foreign_hint("DOWNLOAD_DELAY"), foreign_hint("--download-delay") == foreign_hint("DOWNLOAD_DELAY")
    (' (Scrapy: [politeness] delay, in seconds)', True)
    """
    answers: dict[str, list[str]] = {}
    normal = _normal(word)
    for each in _answers(normal) or _answers(normal[:2]) * normal.startswith("-"):  # -l3 is -l with its value
        tools, _, answer = str(each).partition(": ")
        answers.setdefault(answer, []).append(tools)
    texts = "; ".join(f"{', '.join(tools)}: {answer}" for answer, tools in answers.items())
    return f" ({texts})" if texts else ""


def _answers(word: str) -> list[ForeignWord]:
    return [each for each in WORDS if word in map(_normal, each.words.split())]


def _normal(word: str) -> str:
    """Return a short option as it is, and other words without their dashes, case and signs."""
    if word.startswith("-") and not word.startswith("--"):
        return word
    return "".join(filter(str.isalnum, word.lower()))
