"""A folder with the files of a site, such as build/html: how its URLs and its files belong together."""
