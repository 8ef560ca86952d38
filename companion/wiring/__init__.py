"""Where a table is put together, by hand: the only place that knows all parts. Only the command line imports it."""
