"""Settings of property tests, which may run on slow machines."""

from hypothesis import HealthCheck, settings

patient = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
