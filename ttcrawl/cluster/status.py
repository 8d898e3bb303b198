"""The state of a cluster and of its rings, also of those on other machines. Only reads."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from ttcrawl.cluster.change import request_of
from ttcrawl.cluster.members import standing
from ttcrawl.cluster.plan import read_plan, ring_directory
from ttcrawl.cluster.remote_rings import read_remote_rings
from ttcrawl.report.rings import RingsStatus, rings_status


def cluster_status(directory: Path) -> RingsStatus:
    """Raises UsageError if the directory has no cluster, NotACrawl for a ring that cannot be read."""
    plan = read_plan(directory)
    rings = {ring: (ring_directory(directory, ring), standing(plan.members, ring)) for ring in plan.rings}
    remote = {ring: asdict(each) for ring, each in read_remote_rings(directory).items()}
    split = tuple(plan.members.splits)
    return rings_status(directory, plan.finished, rings, request_of(directory, plan), split, remote)
