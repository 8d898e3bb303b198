"""Problems of pages: from the tables of the crawl, and from their archived HTML."""
