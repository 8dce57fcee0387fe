package dev.incumbent.benchmarks.many;

import java.util.Map;

/** Who wins offices and holds them, all in one process under one lease. */
interface Holder extends AutoCloseable {
    /** Stands for an office; each has a name of its own. Does not wait. */
    void standFor(String office);

    /** How many it has won and holds. */
    int held();

    /** What it would have us know, by name. */
    Map<String, String> remarks();

    @Override
    void close();
}
