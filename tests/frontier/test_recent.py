"""What was touched last is there, and there is no more of it than there may be."""

from ttcrawl.frontier.recent import Recent


def test_what_was_touched_last_is_remembered():
    recent = Recent(10)
    for key in range(100):
        recent.set(key, str(key))
        assert len(recent) <= 10
        assert [recent.get(each) for each in range(max(0, key - 4), key + 1)] == [
            str(each) for each in range(max(0, key - 4), key + 1)
        ]
    assert recent.get(0) is None


def test_what_is_asked_for_stays():
    recent = Recent(10)
    recent.set(-1, "kept")
    for key in range(100):
        recent.set(key, "")
        assert recent.get(-1) == "kept" and len(recent) <= 10


def test_a_value_is_replaced():
    recent = Recent(4)
    for key in range(3):
        recent.set(key, "old")
    recent.set(0, "new")  # from the old generation
    assert recent.get(0) == "new" and len(recent) == 3
