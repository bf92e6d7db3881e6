"""Historical stories: tables and pages of the system that this one replaced, and its two epochs."""
