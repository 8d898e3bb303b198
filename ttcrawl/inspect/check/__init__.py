"""The health of a site: problems that a crawl has recorded, and what requests for external URLs add to them.

`kinds` lists the kinds of problems. `outcomes` has what requests brought, `links` the links, and one file each has the
problems of one concept. `external` requests the URLs that the crawl left out; `archive` reads pages again for what a
crawl does not record. `health` puts everything together; `for_people` and `for_programs` write it.
"""
