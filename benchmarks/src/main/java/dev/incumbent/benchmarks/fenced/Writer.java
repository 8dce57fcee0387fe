package dev.incumbent.benchmarks.fenced;

/** Who writes to a sink, one after another; several write at once. Used by one thread at a time. */
interface Writer {
    /** Writes once, and returns when the sink has taken it. */
    void write() throws Exception;
}
