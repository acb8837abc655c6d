"""The pages of auditors: what was recorded of all users, by reference; what went where; and whether it is as it was recorded."""
