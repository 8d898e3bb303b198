"""What the words at links promise, on a record whose crawl did not ask for it: by anchor texts and URLs alone."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from ttcrawl.config import Config
from ttcrawl.lab.record import Answer, RecordedUrl, RecordedWeb
from ttcrawl.topic.files import DIRECTORY, assessor_of, copied, copies
from ttcrawl.topic.links import STEP, link_scorer


def copy_subject(web: RecordedWeb, config: Config, directory: Path) -> None:
    """Copy the files of [topic] into the directory of a trial: those of the record, else those that the settings name.

    Raises UsageError.
    """
    if web.topic_files.is_dir():
        shutil.copytree(web.topic_files, directory / DIRECTORY)
        return
    files = copies(config.topic)
    (directory / DIRECTORY).mkdir()
    for name, data in files.items():
        (directory / DIRECTORY / name).write_bytes(data)


class WordScores:
    """The words near links are not recorded, so these scores are those of a crawl that continues with a subject."""

    def __init__(self, config: Config, directory: Path, urls: Mapping[int, RecordedUrl]) -> None:
        assessor, _ = assessor_of(copied(config.topic, directory))
        self._scorer = link_scorer(assessor)
        self._urls = urls

    def of(self, answer: Answer) -> bytes:
        """Return a byte for each link of a page, a fifth of its score."""
        keys = json.loads(answer.outlinks.targets)
        texts = json.loads(answer.anchors) if answer.anchors else [""] * len(keys)
        return bytes(
            self._scorer.score(text, "", key, self._urls[key].url) // STEP if key in self._urls else 0
            for key, text in zip(keys, texts, strict=True)
        )
