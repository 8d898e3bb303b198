"""Pages that vanish, come back, move or have copies, by servers with a script, and what tables say of them."""

from tests.recrawl.servers import Scripted
from tests.support.crawls.crawling import query

HTML = "text/html; charset=utf-8"


def words(seed, count=120):
    """A text of its own."""
    return " ".join(f"w{seed}x{number}" for number in range(count))


def page(title, text, *links):
    anchors = "".join(f'<a href="{link}">{link}</a>' for link in links)
    return f"<title>{title}</title><main><p>{text}</p></main><footer>{anchors}</footer>"


def scripted(*script):
    return Scripted(script=script, type=HTML)


def home(*script):
    """(day, links) in order."""
    return scripted(*((day, 200, page("home", words("home"), *links)) for day, links in script))


def vanished(directory):
    """Old path -> (new path, by what, whether it is confirmed)."""
    rows = query(
        directory,
        "SELECT old.url, new.url, same, confirmed NOT NULL FROM vanished JOIN url AS old ON old.id = vanished.url"
        " LEFT JOIN url AS new ON new.id = successor",
    )
    return {path(old): (new and path(new), same, confirmed) for old, new, same, confirmed in rows}


def path(url):
    return "/" + url.split("/", 3)[3]


def reasons(directory):
    return {path(url): (state, reason) for url, state, reason in query(directory, "SELECT url, state, reason FROM url")}


def unlinked(directory):
    """Path -> whether it is known that no page links to it."""
    rows = query(directory, "SELECT url.url, since NOT NULL FROM unlinked JOIN url ON url.id = unlinked.url")
    return {path(url): known for url, known in rows}


TEXT = words("a")
GONE, OLD = (3.5, 404, ""), (0, 200, page("old", TEXT))
