"""Rules that find recurrent layers and their cells."""
