"""Tools beside the API: daily files of stories, and the trial of a feed."""
