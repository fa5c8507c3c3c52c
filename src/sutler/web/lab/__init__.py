"""The lab in the browser: its service, in one process or shared by several."""
