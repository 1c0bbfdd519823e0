"""Renderings of an audit: every report shows the same object, none decides anything."""
