"""The API, `/api/v1`: what the pages do, for programs. One view an operation; every refusal in one shape."""
