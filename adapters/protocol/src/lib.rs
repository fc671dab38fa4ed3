//! Placeholder of the workspace skeleton; filled by the commits that follow.
