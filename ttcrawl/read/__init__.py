"""What a page says of itself, and its words without markup."""
