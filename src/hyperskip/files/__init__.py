"""Files: decompression, safe writing, checks of targets, locks and temporary folders."""
