"""What ``companion bench`` measures: the figures of the README, on the machine that asks."""
