"""A server of object storage (S3) on this machine."""

from contextlib import contextmanager

from moto.server import ThreadedMotoServer

#: Any will do.
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "of-a-test", "AWS_EC2_METADATA_DISABLED": "true"}


@contextmanager
def object_storage(monkeypatch, bucket="bucket"):
    """The address of a server with an empty bucket, to which AWS_ENDPOINT_URL leads."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        for name, value in CREDENTIALS.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        from pyarrow.fs import S3FileSystem

        S3FileSystem(
            endpoint_override=f"{host}:{port}", scheme="http", region="us-east-1", allow_bucket_creation=True
        ).create_dir(bucket)
        yield f"{host}:{port}"
    finally:
        server.stop()
