"""Items of a page: what functions of the user return, what selectors match, and what the page states of things."""
