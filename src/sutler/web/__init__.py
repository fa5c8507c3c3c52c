"""The web server: tables in the browser. `serve.serve` starts it; large modules are imported only when they are needed."""
