"""Settings, all from the environment; README.md lists them. Defaults are safe: this machine only, login required, strict CSP, secure cookies."""

from pathlib import Path

import django_stubs_ext
import environ
from csp.constants import NONE, SELF

from smista_site.environment import (
    read_database,
    read_number,
    read_secret_key,
    read_switch,
    require_https_beyond_loopback,
)

# Django's own classes take type arguments at run time, as the annotations of the pages write them.
django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

DATA_DIR = Path(env.str("SMISTA_DATA_DIR", default=str(BASE_DIR / "data")))
DEBUG = read_switch(env, "SMISTA_DEBUG", default=False)
ALLOWED_HOSTS: list[str] = env.list("SMISTA_ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS: list[str] = env.list("SMISTA_TRUSTED_ORIGINS", default=[])
HTTPS = read_switch(env, "SMISTA_HTTPS", default=True)
require_https_beyond_loopback(ALLOWED_HOSTS, https=HTTPS)
SECRET_KEY = read_secret_key(env, "SMISTA_SECRET_KEY", kept_at=DATA_DIR / "secret_key", hosts=ALLOWED_HOSTS)

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
    "rest_framework",
    "drf_spectacular",
    "django_tasks_db",
    "selection",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "smista_site.urls"
WSGI_APPLICATION = "smista_site.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASES = {"default": read_database(env, "DATABASE_URL", default=DATA_DIR / "smista.sqlite3")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # Readers never wait for a writer, and writers wait for each other instead of failing.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 60,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA temp_store=MEMORY;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend", "sesame.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "pages:sessions"
LOGOUT_REDIRECT_URL = "sign_in"
SESAME_ONE_TIME = True
SESAME_MAX_AGE = read_number(env, "SMISTA_SIGN_IN_LINK_SECONDS", default=3600, least=1)

LANGUAGE_CODE = "en"
USE_I18N = False
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
# On the machine itself files are served from where they are written; elsewhere `collectstatic` gives each a name of its own.
_SERVED_IN_PLACE = DEBUG or not HTTPS
WHITENOISE_USE_FINDERS = _SERVED_IN_PLACE
WHITENOISE_AUTOREFRESH = _SERVED_IN_PLACE
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if _SERVED_IN_PLACE
        else "smista_site.static_storage.ModuleStorage"
    },
}

# What takes long is done by `manage.py db_worker`, on as many machines as share the database.
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}
# A worker that has not finished a slice of a replay after so long is taken for dead.
REPLAY_LEASE_SECONDS = read_number(env, "SMISTA_REPLAY_LEASE_SECONDS", default=120, least=1)
# Replays of so many turns are done before the answer; longer ones by `manage.py db_worker`.
REPLAY_AT_ONCE_TURNS = read_number(env, "SMISTA_REPLAY_AT_ONCE_TURNS", default=200, least=0)

# The file of the Ed25519 key that `manage.py anchor_audit` signs with; best kept where the server cannot read it.
AUDIT_KEY = env.str("SMISTA_AUDIT_KEY", default="")

# Sessions that people import are large; a file goes to disk, pasted text is bounded. What is larger than can be imported at once runs beside the answer.
MAX_IMPORT_BYTES = read_number(env, "SMISTA_MAX_IMPORT_MB", default=1024, least=1) * 1024 * 1024
IMPORT_AT_ONCE_BYTES = read_number(env, "SMISTA_IMPORT_AT_ONCE_MB", default=8, least=0) * 1024 * 1024
# A folder of recordings comes as a file each.
DATA_UPLOAD_MAX_NUMBER_FILES = 5_000
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    # How far imports are, for all workers of this machine.
    "imports": {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": str(DATA_DIR / "cache" / "imports"),
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    },
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 20 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

# The API speaks JSON alone, to programs with a token. Each process counts its own requests: the bounds are for one worker.
MAX_API_BYTES = read_number(env, "SMISTA_MAX_API_MB", default=20, least=1) * 1024 * 1024
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["selection.api.authentication.BearerAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["selection.api.authentication.HasScope"],
    "DEFAULT_RENDERER_CLASSES": ["selection.api.wire.FastRenderer"],
    "DEFAULT_PARSER_CLASSES": ["selection.api.wire.RawParser"],
    "DEFAULT_THROTTLE_CLASSES": [
        "selection.api.authentication.TokenThrottle",
        "selection.api.authentication.AddressThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {
        "token": f"{read_number(env, 'SMISTA_API_REQUESTS_A_MINUTE', default=600, least=1)}/min",
        "address": f"{read_number(env, 'SMISTA_API_ANONYMOUS_A_MINUTE', default=60, least=1)}/min",
    },
    "EXCEPTION_HANDLER": "selection.api.errors.handle",
    "DEFAULT_SCHEMA_CLASS": "selection.api.described.DescribedSchema",
    "UNAUTHENTICATED_USER": None,
    "NUM_PROXIES": 1 if read_switch(env, "SMISTA_BEHIND_PROXY", default=False) else 0,
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Smista Inspector",
    "DESCRIPTION": "Context selection: what goes into the prompt of a turn, what stays out, and why.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": ["selection.api.described.add_components"],
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_HTTPONLY = True
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
if read_switch(env, "SMISTA_BEHIND_PROXY", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# What sessions hold reaches no log and no report of an error: neither values nor what an exception says of them.
DEFAULT_EXCEPTION_REPORTER = "smista_site.discreet.DiscreetReporter"
DEFAULT_EXCEPTION_REPORTER_FILTER = "smista_site.discreet.DiscreetReporterFilter"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "discreet": {"()": "smista_site.discreet.DiscreetFormatter", "format": "%(levelname)s %(name)s: %(message)s"}
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "discreet"}},
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {"django": {"handlers": ["console"], "level": "INFO", "propagate": False}},
}
