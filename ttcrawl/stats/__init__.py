"""The numbers of a crawl: counted while it runs, fitted afterwards."""
