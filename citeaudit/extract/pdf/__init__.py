"""A PDF to its reference lists: layout, sections, segmentation, links."""
