"""What stands out in the results of commands, where output has colour: pattern -> style of its group.

The words say the same without a style. Patterns hold on to what the program writes itself: beginnings of lines, and
headings.
"""

from __future__ import annotations

from ttcrawl.output.colour import BOLD, GREEN, MAGENTA, RED, Styles

OF_WHY: Styles = (
    (r"^(\S.*)$", BOLD),  # the URL
    (r"^  state +(fetched\b(?!, http [45]).*)$", GREEN),
    (r"^  state +(failed\b.*|fetched, http [45].*)$", RED),
    (r"^  state +(refused\b.*|never discovered\b.*)$", MAGENTA),
    (r"^  robots\.txt +(forbidden)\b", MAGENTA),
    (r"^  (?:gone|missing) +(\S.*)$", RED),
)

OF_SUMMARY: Styles = (
    (r"\A(.*)$", BOLD),
    (r"^(fetched) ", GREEN),
    (r"^(failed) ", RED),
    (r"^(refused) ", MAGENTA),
)

OF_STATUS: Styles = (
    (r"^State +(running\b.*|done|visited)$", GREEN),
    (r"^State +(failed\b.*|killed)$", RED),
    (r"^State +(interrupted|(?:max|min|target)_\w+)$", MAGENTA),
    (r"^((?:Trouble|Failing|Failed) .*)$", RED),
    (r"^(Host +Queued .*)$", BOLD),
    (r"  (backed off for .*)$", MAGENTA),
)

#: At the end of a crawl.
OF_END: Styles = (
    (r"^State +(done|visited)\b", GREEN),
    (r"^State +(stopped \(failed.*\))", RED),
    (r"^State +(stopped)\b", MAGENTA),
    (r"^((?:Failed|Parse errors|Trouble|  hosts that failed) +(?!0$)\S.*)$", RED),
    (r"^(Next:)", BOLD),
)

OF_REPORT: Styles = ((r"^(\S.*)(?=\n(?: .*\n)?---+$)", BOLD),)  # the title of a table

OF_CHECK: Styles = (
    (r"\A.*: (0 problems)\b", GREEN),
    (r"^(\S.*) \([\d,]+(?:, \w+)?\)$", BOLD),  # the title of a list
    (r"^ +[\d,]+  (error)  ", RED),
    (r"^ +[\d,]+  (warning)  ", MAGENTA),
    (r", (error)\)$", RED),
    (r", (warning)\)$", MAGENTA),
)

OF_VERIFY: Styles = (
    (r"^.*: (nothing is wrong)\b", GREEN),
    (r"^(repaired:) ", GREEN),
    (r": ([1-9][\d,]* problems? found)\b", RED),
)

OF_DIFF: Styles = (
    (r"^(new)$", GREEN),
    (r"^(gone)$", RED),
    (r"^(moved|changed)$", MAGENTA),
    (r"^ +(\+.*)$", GREEN),
    (r"^ +(-.*)$", RED),
)
