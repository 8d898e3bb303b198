"""The canonical form of a URL by the steps that config.ini asks for, on top of the plain one of `ttcrawl.web.url`."""

from ttcrawl.web.canon.steps import Canon, Step, compile_canon

__all__ = ["Canon", "Step", "compile_canon"]
