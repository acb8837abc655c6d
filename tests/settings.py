"""The settings of the tests: this machine, in clear, with data of their own."""

import os
import tempfile

os.environ["SMISTA_HTTPS"] = "off"
os.environ["SMISTA_DEBUG"] = "off"
os.environ["SMISTA_DATA_DIR"] = tempfile.mkdtemp(prefix="smista-tests-")
os.environ["SMISTA_SECRET_KEY"] = "a key that only the tests know, and nobody else needs to"  # noqa: S105
os.environ.pop("SMISTA_ALLOWED_HOSTS", None)

from smista_site.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
