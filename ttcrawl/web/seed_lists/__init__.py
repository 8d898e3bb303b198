"""Lists of URLs as people and programs write them. The content decides about the form, not the name of the file."""
