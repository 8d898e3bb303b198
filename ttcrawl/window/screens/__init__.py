"""The screens: each module has `ROUTES`, with paths below the crawl, and the SQL of its lists."""
