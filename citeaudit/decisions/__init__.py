"""What people decided about references: by which fingerprint it is kept, where, and what a baseline holds."""
