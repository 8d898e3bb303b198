"""What FTP servers say (RFC 959, RFC 3659): replies, and listings of directories."""
