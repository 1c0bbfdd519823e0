"""The running text: citations, the sentences around them, quotations and what they are attributed to."""
