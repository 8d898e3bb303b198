"""How far a long piece of work has come is said seldom, and of a short one not at all."""

from ttcrawl.engine.step_progress import StepProgress


def test_short_work_says_nothing():
    said, moments = [], iter([100.0, 101.0, 104.9])
    told = StepProgress("judging", said.append, lambda: next(moments))
    for done in (1, 2, 3):
        told(done, 3)
    assert said == []


def test_long_work_says_how_far_it_is_every_five_seconds():
    said, moments = [], iter([100.0, 104.0, 105.0, 107.0, 109.9, 110.0])
    told = StepProgress("judging", said.append, lambda: next(moments))
    for done in range(1000, 7000, 1000):
        told(done, 6000)
    assert said == ["judging: 3,000 of 6,000", "judging: 6,000 of 6,000"]
