package dev.incumbent.fence.sql;

import dev.incumbent.fence.tck.Capability;
import java.util.Set;

/** A fresh SQLite file, asked as the servers' databases are. */
record SqliteDatabase(Ledger ledger) implements Database {
    static SqliteDatabase create() {
        SqliteDatabase database = new SqliteDatabase(Ledger.inMode("WAL"));
        database.run("DROP TABLE ledger", "CREATE TABLE ledger(id INTEGER PRIMARY KEY, line TEXT NOT NULL)");
        return database;
    }

    @Override
    public String url() {
        return "jdbc:" + ledger.url();
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.SNAPSHOTS, Capability.UNTYPED_TOKENS, Capability.PUT_BACK, Capability.PLANTED_MARKS);
    }

    @Override
    public String waiting() {
        return "";
    }

    @Override
    public void cutOff() {
        throw new UnsupportedOperationException("a file has no sessions to end");
    }

    @Override
    public Runnable backUp() {
        return ledger.backUp();
    }

    @Override
    public void close() {
        ledger.close();
    }
}
