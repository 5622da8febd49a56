"""Importers of ops on images: windows, pools, regions and samples."""
