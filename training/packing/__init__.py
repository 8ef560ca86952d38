"""What networks learn from: pictures, and copies of them to which something happened, a packed file for each table."""
