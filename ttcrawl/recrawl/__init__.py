"""When a page is to be visited again, and what is asked of its server. Pure: clocks and answers are arguments.

`rate` estimates how often a page changes, `prior` learns from the other pages of its site what to expect before that,
`interval` turns rate, weight and price into the time until the next visit by one of the policies, `budget` finds the
price at which all visits together fit into the budget, `cap` holds it as a limit. `belief` tells which dates of
sitemaps are true, `expiry` until when an answer is fresh, `validators` whether a conditional request may be trusted.

Times are in seconds, rates per second. A change is anything that a reader of the page would notice: `visible` tells a
text from one that looks the same, `undated` a new text from a new date.
"""
