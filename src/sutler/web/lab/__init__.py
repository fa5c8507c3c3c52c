"""The lab in the browser: a service that answers questions, in one process or shared by several; and notebooks of designs."""
