"""Documents to references: one reader a kind of document, one reader of printed reference strings."""
