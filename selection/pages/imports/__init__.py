"""Sessions in: files, folders, archives or pasted text; at once, or beside the answer with its progress."""
