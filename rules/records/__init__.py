"""Records of frames and matches: words, values, text, and what the referee calls, in three languages."""
