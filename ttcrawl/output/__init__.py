"""What all commands print with: escaped text, numbers, moments, tables and their forms, lines of progress."""
