"""Tables and dice that are drawn, within a second a picture: far from photographs, but each is unlike all others."""
