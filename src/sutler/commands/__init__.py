"""What can be typed after `sutler`, by whom it is for. Nothing heavy is imported before the command that needs it runs."""
