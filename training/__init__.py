"""Tools for developers: they make pictures of boards with exact truth, to train and test readers with."""
