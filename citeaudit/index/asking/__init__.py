"""Asking an index: the ladder, the back ends behind it, and how records become works."""
