"""One module for each migration; each names the previous one."""
