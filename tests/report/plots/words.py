"""The text of a figure."""

import re


def words(svg):
    return "\n".join(re.findall(r"<!-- (.*?) -->", svg.read_text()))
