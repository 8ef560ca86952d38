"""The self-test: a dozen placements that show an owner how well their own table is read."""
