package dev.incumbent.fence.sql;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.tck.Capability;
import dev.incumbent.fence.tck.FenceRig;
import dev.incumbent.fence.tck.Writer;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A database whose writers are threads of this process, at one isolation level.
 *
 * @param statement what admits, with a place for the election and one for the token; empty where the Java fence does
 */
record ServerRig(Database database, int isolation, String statement, Queue<Writer> writers) implements FenceRig {
    ServerRig(Database database, int isolation) {
        this(database, isolation, "");
    }

    ServerRig(Database database, int isolation, String statement) {
        this(database, isolation, statement, new ConcurrentLinkedQueue<>());
    }

    @Override
    public Set<Capability> capabilities() {
        return database.capabilities();
    }

    @Override
    public Sink open(Duration bound) {
        return new SqlSinkProvider().open(database.url(), bound);
    }

    @Override
    public void install() {
        database.install();
    }

    @Override
    public Writer begin() {
        Writer writer = statement.isEmpty()
                ? new ServerWriter(database, isolation)
                : new PlainClientWriter(database, isolation, statement);
        writers.add(writer);
        return writer;
    }

    @Override
    public void admitOutsideATransaction(ElectionName election, FencingToken token) throws FenceException {
        try (Connection connection = database.connect()) {
            JdbcFence.over(connection).admit(election, token);
        } catch (SQLException failure) {
            throw new NotAdmittedException(String.valueOf(failure.getMessage()), failure);
        }
    }

    @Override
    public List<String> written() {
        return database.lines();
    }

    @Override
    public void restart() {
        database.cutOff();
    }

    @Override
    public Runnable backUp() {
        return database.backUp();
    }

    @Override
    public void plantUnreadable(ElectionName election) {
        database.run("UPDATE " + database.marks() + " SET owner = 'nobody' WHERE election = '" + election + "'");
    }

    @Override
    public void plantForeign(String name) {
        database.run("INSERT INTO " + database.marks() + "(election, token, owner, raised_at) SELECT '" + name
                + "', token, owner, raised_at FROM " + database.marks());
    }

    @Override
    public void pass(Duration time) {
        // Time is real here.
    }

    @Override
    public Duration patience() {
        return Duration.ofSeconds(40);
    }

    @Override
    public void close() {
        writers.forEach(Writer::rollBack);
        database.close();
    }
}
