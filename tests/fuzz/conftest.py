"""The same examples every time: a failure is one of the code, not of the day."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "fuzz", derandomize=True, deadline=None, max_examples=200, suppress_health_check=list(HealthCheck), database=None
)
settings.load_profile("fuzz")
