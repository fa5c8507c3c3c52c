"""What you may do in Six Winters and what it does: a file a chapter of the guide; the course of it all in `campaign`."""
