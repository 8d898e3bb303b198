"""A page about the health of a site for people who are not engineers: scores, what to do first, the worst pages."""
