"""The networks that read squares and see dice: how they are made, trained on from what they were, and written."""
