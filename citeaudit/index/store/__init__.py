"""Records, and how they are kept: tidied, packed, keyed, and sealed in parts that never change."""
