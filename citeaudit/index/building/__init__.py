"""Making an index: from dumps to sealed parts, in several processes, interrupted and gone on with."""
