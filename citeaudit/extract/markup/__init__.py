"""Documents in Markdown and HTML, and what they share with word processors' files: blocks of marked text."""
