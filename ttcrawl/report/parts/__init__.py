"""The parts of the report, a file each: a record of figures, what reads it, and its tables (ttcrawl.report.study)."""
