"""Print a link that signs the local owner in, once."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand
from django.urls import reverse
from sesame.utils import get_query_string

from selection.management.people import person


class Command(BaseCommand):
    """Print a link that signs in without a password; it works once, for an hour unless the settings say otherwise."""

    help = "Print a link that signs in without a password; it works once."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Ask for the user and where the server is."""
        parser.add_argument("--user", help="the user's name; the local owner unless given")
        parser.add_argument("--at", default="http://127.0.0.1:8000", help="where the server is (default: %(default)s)")

    def handle(self, *_: Any, **options: Any) -> None:
        """Print the link."""
        query = get_query_string(person(options["user"]))
        self.stdout.write(f"{options['at'].rstrip('/')}{reverse('sign_in_link')}{query}")
