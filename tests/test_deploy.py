"""The files of docs/deploy/: valid by the programs that read them, of one mind, and their commands exist."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.cluster.machines.inside import inside, missing
from tests.support.crawls import deploy_scenarios
from tests.support.crawls.deployed import (
    DEPLOY,
    PROGRAMS,
    UNITS,
    called,
    command,
    compose,
    kubernetes,
    script,
    settings,
    stand_in,
    unit,
)
from tests.support.faults.killing import until
from ttcrawl.cli import parser

MANUAL = (DEPLOY.parent / "cluster-machines.md").read_text()
BIN = Path(sys.executable).parent
ROOT = Path(__file__).parent.parent

RAY = settings("ray.env")
MACHINE = settings("machine.env")

IMAGES = sorted(DEPLOY.glob("Containerfile*"))

#: Ports that Ray may use: the first and the last.
PORTS = (6379, 6499)


def needs(program):
    path = os.pathsep.join((os.environ["PATH"], "/usr/sbin", "/sbin"))
    return shutil.which(program, path=path) or pytest.skip(f"{program} is not installed")


def ray_options(words):
    """The options of `ray start`. Raises an error if one does not exist or has another type."""
    start = pytest.importorskip("ray.scripts.scripts").start
    assert words[:2] == ["ray", "start"], words
    return start.make_context("start", words[2:]).params


# -- by the programs that read them -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_systemd(path, tmp_path):
    program = needs("systemd-analyze")
    copy = tmp_path / path.name.replace("@", "@news")
    copy.write_text(path.read_text().replace(PROGRAMS, f"{BIN}/"))
    done = subprocess.run([program, "verify", str(copy)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_nftables():
    program = needs("nft")
    inside = ("unshare", *(() if os.geteuid() == 0 else ("--user", "--map-root-user")), "--net")
    if subprocess.run([*inside, "true"], capture_output=True).returncode:
        pytest.skip("network namespaces cannot be made here")
    # Twice, as a machine that reads it again does.
    load = '"$0" -c -f "$1" && "$0" -f "$1" && "$0" -f "$1" && "$0" list ruleset'
    done = subprocess.run(
        [*inside, "sh", "-c", load, program, str(DEPLOY / "nftables.conf")], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("table") == 1 and "drop" in done.stdout


def test_kubernetes():
    validate = pytest.importorskip("kubernetes_validate").validate
    for resource in kubernetes().values():
        validate(resource, "1.31", strict=True)


def test_compose():
    pytest.importorskip("check_jsonschema")
    words = ["--builtin-schema", "vendor.compose-spec", str(DEPLOY / "compose.yaml")]
    done = subprocess.run([sys.executable, "-m", "check_jsonschema", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", IMAGES, ids=lambda path: path.name)
def test_images(path):
    program = shutil.which("hadolint", path=os.pathsep.join((str(BIN), os.environ["PATH"])))
    done = subprocess.run([program or needs("hadolint"), str(path)], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("name", ["conduct", "machine"])
def test_shell(name):
    assert subprocess.run(["sh", "-n", str(DEPLOY / name)]).returncode == 0
    assert os.access(DEPLOY / name, os.X_OK)


# -- commands ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_units_run_commands_that_exist(path):
    program, *arguments = command(path, RAY | MACHINE)
    assert program.startswith(PROGRAMS)
    if program.endswith("/ttcrawl"):
        assert str(parser().parse_args(arguments).directory) == "news"
    else:
        options = ray_options(["ray", *arguments])
        assert options["block"] and options["node_ip_address"] == MACHINE["NODE_ADDRESS"]
        assert json.loads(options["resources"]) == {"disk2": 1}
        assert options["temp_dir"] == f"/run/{unit(path)['Service']['RuntimeDirectory']}"
        assert (options["port"] == PORTS[0]) is options["head"] is not (options["address"] == MACHINE["HEAD"])


def test_a_container_of_a_ring(tmp_path):
    (tmp_path / "hostname").write_text("#!/bin/sh\necho ring-12\n")
    (tmp_path / "hostname").chmod(0o755)
    env = stand_in(tmp_path) | {"NODE_ADDRESS": "10.77.0.11", "HEAD": "10.77.0.10:6379"}
    assert script("machine", env=env).wait(60) == 0
    (start,) = called(tmp_path)
    options = ray_options(start)
    assert options["block"] and (options["address"], options["node_ip_address"]) == ("10.77.0.10:6379", "10.77.0.11")
    assert json.loads(options["resources"]) == {"disk12": 1}


#: How the conductor ends, and how its container does: what ends with 0 is not started again.
ENDS = [(0, 0), (1, 1), (2, 2), (3, 0), (134, 134)]


@pytest.mark.parametrize(("ends", "status"), ENDS)
def test_a_container_of_the_conductor(tmp_path, ends, status):
    env = stand_in(tmp_path) | {"NODE_ADDRESS": "10.77.0.10", "STATUS": str(ends)}
    arguments = compose()["conductor"]["command"][1:]
    assert script("conduct", *arguments, env=env).wait(60) == status
    start, crawl = called(tmp_path)
    options = ray_options(start)
    assert options["head"] and not options["block"]
    assert (options["node_ip_address"], options["port"]) == ("10.77.0.10", PORTS[0])
    crawl = parser().parse_args(crawl[1:])
    assert (str(crawl.directory), crawl.rings, crawl.seeds) == ("news", 3, ["https://example.org/"])
    assert crawl.ray == f"10.77.0.10:{PORTS[0]}"


def test_a_container_of_the_conductor_that_comes_back(tmp_path):
    env = stand_in(tmp_path) | {"NODE_ADDRESS": "10.77.0.10"}
    (tmp_path / "news").mkdir()
    (tmp_path / "news" / "cluster.json").touch()
    assert script("conduct", *compose()["conductor"]["command"][1:], env=env).wait(60) == 0
    _, resume = called(tmp_path)
    assert str(parser().parse_args(resume[1:]).directory) == "news" and resume[1:3] == ["cluster", "resume"]


def test_a_container_of_the_conductor_that_is_stopped(tmp_path):
    """Its conductor ends first; its status says that there is work left."""
    env = stand_in(tmp_path) | {"NODE_ADDRESS": "10.77.0.10", "WAIT": "1"}
    process = script("conduct", *compose()["conductor"]["command"][1:], env=env)
    until(lambda: len(called(tmp_path)) == 2)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 143


# -- of one mind ------------------------------------------------------------------------------------------------------


def test_every_port_is_in_the_range_that_the_firewall_closes():
    ports = {name: int(value) for name, value in re.findall(r"--([\w-]*port)=(\d+)", RAY["START_OPTIONS"])}
    listening = {name for name in ray_options(["ray", "start"]) if name.endswith("port")}
    # of the head, and of a client that is not installed
    assert {name.replace("-", "_") for name in ports} == listening - {
        "port",
        "ray_client_server_port",
        "dashboard_port",
    }
    assert all(PORTS[0] < port <= PORTS[1] for port in ports.values())
    assert set(re.findall(r"tcp dport (\S+)", (DEPLOY / "nftables.conf").read_text())) == {"{}-{}".format(*PORTS)}
    assert "{} to {}".format(*PORTS) in MANUAL


def test_the_head_is_where_the_machines_look():
    services, pods = compose(), pods_of()
    assert {each["environment"]["HEAD"] for each in services.values()} == {
        f"{services['conductor']['environment']['NODE_ADDRESS']}:{PORTS[0]}"
    }
    (head,) = {each["value"] for pod in pods.values() for each in container(pod)["env"] if each["name"] == "HEAD"}
    job = pods["Job"]
    assert head == f"{job['hostname']}.{job['subdomain']}:{PORTS[0]}"
    assert job["subdomain"] == kubernetes()["Service"]["metadata"]["name"]
    assert MACHINE["HEAD"].endswith(f":{PORTS[0]}")


def pods_of():
    resources = kubernetes()
    return {kind: resources[kind]["spec"]["template"]["spec"] for kind in ("StatefulSet", "Job")}


def container(pod):
    (only,) = pod["containers"]
    return only


@pytest.mark.parametrize("path", IMAGES, ids=lambda path: path.name)
def test_images_have_a_pinned_base_and_copy_what_is_there(path):
    lines = [line.split() for line in path.read_text().replace("\\\n", "").splitlines() if line[:1].isalpha()]
    assert all(re.search(r":\d+\.\d+", base) for word, base, *_ in lines if word == "FROM")
    copied = [each for word, *rest in lines if word == "COPY" and "--from=build" not in rest for each in rest[:-1]]
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    for each in copied:
        assert (ROOT / each).exists()
        assert any(f"!{parent}" in ignored for parent in (each, *map(str, Path(each).parents)))


def test_the_image_of_one_crawl():
    lines = dict(
        line.split(" ", 1) for line in (DEPLOY / "Containerfile").read_text().splitlines() if line[:1].isalpha()
    )
    assert json.loads(lines["ENTRYPOINT"])[-1] == "ttcrawl"
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", lines["USER"]) and lines["VOLUME"] == lines["WORKDIR"]


def test_containers_run_without_privileges():
    user = int(re.search(r"^USER (\d+):", (DEPLOY / "Containerfile.cluster").read_text(), re.MULTILINE)[1])
    for pod in pods_of().values():
        assert pod["securityContext"]["runAsUser"] == user and pod["securityContext"]["runAsNonRoot"]
        security = container(pod)["securityContext"]
        assert not security["allowPrivilegeEscalation"] and security["capabilities"] == {"drop": ["ALL"]}
        assert security["readOnlyRootFilesystem"] and "memory" in container(pod)["resources"]["limits"]
    for service in compose().values():
        assert service["cap_drop"] == ["ALL"] and service["read_only"] and "ports" not in service


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_units_run_without_privileges(path):
    service = unit(path)["Service"]
    assert service["User"] == "ttcrawl" and service["NoNewPrivileges"] == "yes" and service["ProtectSystem"] == "strict"
    assert "MemoryMax" in service and service["Restart"] in ("always", "on-failure")


def test_shared_memory_holds_the_object_store():
    store = int(re.search(r"--object-store-memory=(\d+)", RAY["START_OPTIONS"])[1])
    sizes = [
        each["emptyDir"]["sizeLimit"] for pod in pods_of().values() for each in pod["volumes"] if each["name"] == "shm"
    ]
    assert sizes == ["128Mi"] * 2 and {each["shm_size"] for each in compose().values()} == {"128m"}
    assert store < 128 << 20


def test_there_is_a_machine_for_each_ring():
    services, resources = compose(), kubernetes()
    rings = int(services["conductor"]["command"][2])
    assert [each["hostname"] for each in services.values() if "hostname" in each] == [
        f"ring-{ring}" for ring in range(1, rings + 1)
    ]
    of_set = resources["StatefulSet"]["spec"]
    assert (str(of_set["replicas"]), of_set["ordinals"]["start"]) == (container(pods_of()["Job"])["args"][2], 1)


def test_rings_differ_in_their_number_only():
    rings = [yaml.safe_dump(each) for name, each in compose().items() if name.startswith("ring-")]
    assert len({re.sub(r"(ring-|10\.77\.0\.1)\d", r"\1N", each) for each in rings}) == 1


def test_whoever_has_no_token_is_refused():
    assert RAY["RAY_AUTH_MODE"] == "token"
    for path in UNITS:
        service = unit(path)["Service"]
        assert service["LoadCredential"].startswith("ray-token:") and "%d/ray-token" in service["Environment"]


def test_the_shell_of_a_user_has_the_settings():
    (line,) = re.findall(r"^    (export .*)$", MANUAL, re.MULTILINE)
    script = line.replace("/etc/ttcrawl", str(DEPLOY)) + "; env"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, env={"PATH": os.environ["PATH"]})
    found = dict(each.partition("=")[::2] for each in done.stdout.splitlines())
    expected = {name: value for name, value in RAY.items() if name.startswith("RAY_")}
    assert (expected.items() <= found.items(), done.stderr) == (True, "")


def test_no_file_contains_a_secret():
    text = "".join(path.read_text() for path in DEPLOY.rglob("*") if path.is_file())
    assert not re.search(r"RAY_AUTH_TOKEN\b|[0-9a-f]{32}|kind: Secret", text)


def test_the_manual_names_every_file():
    names = {str(path.relative_to(DEPLOY)) for path in DEPLOY.rglob("*") if path.is_file()}
    pages = MANUAL + "".join(
        (DEPLOY.parent / page).read_text() for page in ("install.md", "cluster.md", "guides/recipes.md")
    )
    assert set(re.findall(r"\]\((?:\.\./)?deploy/([^)]+)\)", pages)) == names


# -- on virtual machines ----------------------------------------------------------------------------------------------

machines = pytest.mark.skipif(bool(missing()), reason=missing())


@pytest.mark.machines
@pytest.mark.slow
@machines
def test_the_units_make_a_cluster(tmp_path):
    pytest.importorskip("ray")
    found = inside(deploy_scenarios.machines, str(tmp_path), seconds=280)
    ports = found.pop("ports")
    assert all(PORTS[0] <= port <= PORTS[1] for machine in ports for port in machine)
    assert all(machine[-1] >= 6400 for machine in ports)  # of actors
    assert found.pop("status") != 0  # so Restart=on-failure would do, too
    assert found == {"strangers": [True, True], "gone": True, "another": True, "back": True, "two": None}


@pytest.mark.slow
@machines
def test_the_units_crawl_to_the_end(tmp_path):
    pytest.importorskip("ray")
    found = inside(deploy_scenarios.crawled, str(tmp_path), seconds=280)
    assert all(PORTS[0] <= port <= PORTS[1] for machine in found.pop("ports") for port in machine)
    assert found.pop("repeated") <= 60  # at most one of each host was in flight or not committed
    assert found == {"ends": [3, -signal.SIGKILL, 0], "missing": []}


@pytest.mark.machines
@pytest.mark.slow
@machines
def test_the_containers_crawl_to_the_end(tmp_path):
    pytest.importorskip("ray")
    assert inside(deploy_scenarios.containers, str(tmp_path), seconds=280) == {"ends": [143, 0], "missing": []}


@pytest.mark.machines
@pytest.mark.slow
@machines
def test_a_head_that_is_lost_comes_back_with_all_machines(tmp_path):
    pytest.importorskip("ray")
    found = inside(deploy_scenarios.head_lost, str(tmp_path), seconds=280)
    assert found == {"ends": [True, True, True], "back": True}


@pytest.mark.machines
@pytest.mark.slow
@machines
def test_the_firewall_admits_machines_only(tmp_path):
    reached = inside(deploy_scenarios.firewall, str(tmp_path), needs("nft"))
    assert reached == {
        **{"one 6379": True, "one 6499": True, "one 80": True},
        **{"stranger 6379": False, "stranger 6499": False, "stranger 80": True},
    }
