"""Text on its way to the screen: translated, cleaned, fitted into cells, laid out, searched."""
