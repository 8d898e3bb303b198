"""Which pages are about the subject: `ttcrawl topic`."""
