"""Pages made by scripts: a fetch process gives the page that it has fetched to Chromium, and answers its requests.

The browser itself reaches no address: each of its requests comes to the fetch process, which decides and makes it.
"""
