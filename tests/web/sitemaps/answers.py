"""What servers answer to requests of sitemaps."""

from tests.support.web.site import Answer

XML = (("Content-Type", "application/xml"),)


def index(*urls):
    """The body of a sitemap that names others."""
    return (
        "<sitemapindex>" + "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls) + "</sitemapindex>"
    ).encode()


def xml(body):
    return Answer(body=body, headers=XML)
