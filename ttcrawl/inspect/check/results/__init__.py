"""What becomes of the problems: groups, the forms of the report, the baseline."""
