"""The table in the browser. `serve.serve` starts it; everything heavy is loaded when it is needed."""
