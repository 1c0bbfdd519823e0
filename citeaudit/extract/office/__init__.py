"""Word processors' documents: typed lists, and the fields of reference managers."""
