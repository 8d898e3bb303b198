"""What bytes are: the MIME type by header, bytes and URL."""
