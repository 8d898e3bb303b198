"""The MIME type of a response, by header, bytes and URL."""
