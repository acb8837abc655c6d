"""What a field must keep to beyond its type: what a database can index, what a time and a price look like."""

from typing import Final

# The largest whole number that every reader of JSON keeps exact.
MOST_NUMBER: Final = 2**53 - 1

LENGTHS: Final = {
    ("SessionInfo", "title"): 500,
    ("SessionInfo", "key_id"): 200,
    ("BundleMemory", "key"): 500,
    ("ModelDescriptor", "provider"): 300,
    ("ModelDescriptor", "model"): 300,
}
LEAST: Final = {
    ("ModelDescriptor", "max_context_tokens"): 0,
    ("ModelDescriptor", "max_output_tokens"): 0,
    ("Policy", "version"): 0,
}
TIME: Final = r"^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?$"
PRICE: Final = r"^\d{1,12}(\.\d{1,12})?$"
PATTERNS: Final = {
    ("ModelDescriptor", "input_cost_per_million"): PRICE,
    ("ModelDescriptor", "output_cost_per_million"): PRICE,
    **{("SessionInfo", name): TIME for name in ("created_at", "updated_at", "archived_at")},
    **{("BundleMemory", name): TIME for name in ("created_at", "updated_at")},
    ("BundleMessage", "created_at"): TIME,
    ("BundleTurn", "created_at"): TIME,
}
