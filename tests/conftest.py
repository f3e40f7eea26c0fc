"""For every test: speed is never asserted, so a property's example may take as long as it takes."""

from hypothesis import settings

settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
