"""The metadata of a page, and its text without markup."""
