/** Where the views of one election contradict each other: what a process believes, the coordinator's record, the sinks' marks, and refused writes. Pure: no clock, no thread, no I/O. */
package dev.incumbent.telling.conflict;
