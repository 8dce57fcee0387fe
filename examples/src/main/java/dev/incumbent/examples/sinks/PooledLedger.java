package dev.incumbent.examples.sinks;

import dev.incumbent.Leadership;
import dev.incumbent.fence.sql.FencedDataSource;
import dev.incumbent.model.ElectionName;
import javax.sql.DataSource;

/** Fences code that knows a {@code DataSource} and nothing of elections. */
public final class PooledLedger {
    private PooledLedger() {}

    /** The pool as such code is to be given it while this process leads: each transaction begins with an admission. */
    public static DataSource fenced(DataSource pool, Leadership leadership) {
        DataSource fenced = FencedDataSource.over(pool, new ElectionName("billing/closer"), leadership::token);
        return fenced;
    }
}
