//! Graphs and precisions of small programs.
