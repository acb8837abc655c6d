"""Static files under names that change with their content, modules that import each other included."""

from typing import Final

from whitenoise.storage import CompressedManifestStaticFilesStorage

_IMPORTED: Final = ((r"""(?P<matched>from "(?P<url>\.{1,2}/[^"]+\.js)")""", 'from "%(url)s"'),)


class ModuleStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise has no types
    """Names each file by its content, and says so where a module imports it: under two names it would run twice, and every key would act twice."""

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("selection/*.js", _IMPORTED),
        ("vendor/noble-ciphers/*.js", _IMPORTED),
    )
