"""The canonical form of a URL by the steps set in config.ini, after the plain form of `ttcrawl.web.url`."""

from ttcrawl.web.canon.steps import Canon, Step

__all__ = ["Canon", "Step"]
