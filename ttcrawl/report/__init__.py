"""The report: figures, tables and plots of crawl directories, running or stopped. It never writes to the database."""
