"""The report as one HTML file: an overview, then groups of sections with their figures. It fetches nothing."""
