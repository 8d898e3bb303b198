"""The health of a site: problems that a crawl has recorded, and what requests for external URLs add to them.

`kinds` lists the kinds of problems. `links/outcomes` has what requests brought; one file each has the problems of one
concept: `links/` those of links, `pages/` those of pages. `links/external` requests the URLs that the crawl left out;
`pages/archive` reads pages again for what a crawl does not record. `health` puts everything together; `results/` groups
and writes it.
"""
