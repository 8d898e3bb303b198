"""Problems of links: what their targets answered, the URLs out of the site, fragments, and pages without links."""
