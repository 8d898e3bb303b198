"""FTP over libcurl: `transfer` is one control connection, `transport` the rules of one request."""
