"""The version of the engine, as recorded beside every selection: it changes when an equal turn could be decided otherwise."""

from typing import Final

ENGINE_VERSION: Final = "1.0.0"
