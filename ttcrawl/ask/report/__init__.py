"""Reads crawl directories, running or stopped, and never writes to their database: figures, tables, plots."""
