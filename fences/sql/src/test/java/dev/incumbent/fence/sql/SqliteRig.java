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

/** A SQLite file whose writers are threads of this process. */
class SqliteRig implements FenceRig {
    private final Ledger ledger;
    private final Queue<Writer> writers = new ConcurrentLinkedQueue<>();

    SqliteRig(String journal) {
        ledger = Ledger.inMode(journal);
    }

    final Ledger ledger() {
        return ledger;
    }

    @Override
    public final Set<Capability> capabilities() {
        boolean snapshots = ledger.column("PRAGMA journal_mode").equals(List.of("wal"));
        return snapshots
                ? Set.of(Capability.SNAPSHOTS, Capability.UNTYPED_TOKENS, Capability.PUT_BACK, Capability.PLANTED_MARKS)
                : Set.of(Capability.UNTYPED_TOKENS, Capability.PUT_BACK, Capability.PLANTED_MARKS);
    }

    @Override
    public final Sink open(Duration bound) {
        return new SqlSinkProvider().open(ledger.url(), bound);
    }

    @Override
    public final void install() {
        new SqlSinkProvider().install(ledger.url());
    }

    @Override
    public Writer begin() {
        return begun(new SqliteWriter(ledger));
    }

    /** Ends it with this rig. */
    final Writer begun(Writer writer) {
        writers.add(writer);
        return writer;
    }

    @Override
    public void admitOutsideATransaction(ElectionName election, FencingToken token) throws FenceException {
        try (Connection connection = ledger.connect()) {
            JdbcFence.over(connection).admit(election, token);
        } catch (SQLException failure) {
            throw new NotAdmittedException(String.valueOf(failure.getMessage()), failure);
        }
    }

    @Override
    public final List<String> written() {
        return ledger.lines();
    }

    @Override
    public void restart() {
        cutOff();
    }

    private void cutOff() {
        writers.forEach(Writer::rollBack);
        writers.clear();
    }

    @Override
    public final Runnable backUp() {
        return ledger.backUp();
    }

    @Override
    public void plantUnreadable(ElectionName election) {
        ledger.run("UPDATE incumbent_fence SET owner = 'nobody' WHERE election = '" + election + "'");
    }

    @Override
    public void plantForeign(String name) {
        ledger.run("INSERT INTO incumbent_fence(election, token, owner, raised_at) SELECT '" + name
                + "', token, owner, raised_at FROM incumbent_fence");
    }

    @Override
    public final void pass(Duration time) {
        // Time is real here.
    }

    @Override
    public final Duration patience() {
        return Duration.ofSeconds(40);
    }

    @Override
    public void close() {
        cutOff();
        ledger.close();
    }
}
