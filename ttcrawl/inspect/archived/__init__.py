"""What the archive has of a page, as a browser without scripts shows it: nothing is loaded from elsewhere."""
