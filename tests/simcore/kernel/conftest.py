"""Property tests of kernels have no deadline for an example: the first one may have to compile."""

from hypothesis import settings

settings.register_profile("kernels", deadline=None)
settings.load_profile("kernels")
