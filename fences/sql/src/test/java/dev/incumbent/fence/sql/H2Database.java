package dev.incumbent.fence.sql;

import dev.incumbent.fence.tck.Capability;
import dev.incumbent.servers.TemporaryFolder;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

/** A fresh H2 database in this JVM, in a folder of its own. */
record H2Database(TemporaryFolder folder, AtomicReference<Connection> anchor) implements Database {
    private static final Queue<H2Database> UNUSED = new ConcurrentLinkedQueue<>();

    /** One that nobody uses any more, emptied, or a new one. */
    static H2Database create() {
        H2Database unused = UNUSED.poll();
        if (unused == null) {
            return fresh();
        }
        unused.run("DELETE FROM incumbent_fence", "DELETE FROM incumbent_slot", "DELETE FROM ledger");
        return unused;
    }

    private static H2Database fresh() {
        H2Database database = new H2Database(TemporaryFolder.create("h2"), new AtomicReference<>());
        database.install();
        Runtime.getRuntime().addShutdownHook(new Thread(database::remove));
        database.run("CREATE TABLE ledger(id bigint AUTO_INCREMENT PRIMARY KEY, line varchar(200) NOT NULL)");
        return database;
    }

    @Override
    public String url() {
        return "jdbc:h2:file:" + folder.resolve("ledger") + ";DB_CLOSE_ON_EXIT=FALSE;LOCK_TIMEOUT=20000";
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(
                Capability.PARALLEL_ADMISSIONS,
                Capability.SNAPSHOTS,
                Capability.UNTYPED_TOKENS,
                Capability.PLANTED_MARKS);
    }

    /** The first connection stays, as an application's would: with the last one the database is closed, which takes its time. */
    @Override
    public Connection connect() throws SQLException {
        Connection first = anchor.get();
        if (first == null || first.isClosed()) {
            anchor.set(Database.super.connect());
        }
        return Database.super.connect();
    }

    @Override
    public String waiting() {
        return "SELECT count(*) FROM INFORMATION_SCHEMA.SESSIONS WHERE BLOCKER_ID IS NOT NULL";
    }

    /** As if its JVM had halted: nothing is written any more. */
    @Override
    public void cutOff() {
        run("SHUTDOWN IMMEDIATELY");
    }

    @Override
    public Runnable backUp() {
        throw new UnsupportedOperationException("not declared");
    }

    @Override
    public void close() {
        UNUSED.add(this);
    }

    private void remove() {
        cutOff();
        folder.close();
    }
}
