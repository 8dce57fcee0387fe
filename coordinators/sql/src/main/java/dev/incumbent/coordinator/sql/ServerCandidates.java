package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The table of candidates in a database server, in the order of enlisting. */
final class ServerCandidates {
    private static final long SWEEP_EVERY_NANOS = Duration.ofMinutes(1).toNanos();

    /** Who was enlisted on a lease that has died is not on the list any more, and goes to its end. */
    private static final String DROP_DEAD = "delete from incumbent_candidate where election=? and candidate=? and"
            + " not exists (select 1 from incumbent_lease l where l.id=incumbent_candidate.lease and not l.dead)";

    private final ServerStore store;
    private final ServerLeases leases;
    private final String update;
    private final String insert;
    private final String list;
    private OptionalLong sweptAtNanos = OptionalLong.empty();

    ServerCandidates(ServerStore store, ServerLeases leases) {
        this.store = store;
        this.leases = leases;
        Dialect dialect = store.dialect();
        String alive = " incumbent_lease l where l.id=? and not l.dead and l.expires_us>" + dialect.now();
        update = "update incumbent_candidate set lease=?, body=? where election=? and candidate=? and exists"
                + " (select 1 from" + alive + ")";
        insert = "insert into incumbent_candidate(election, candidate, lease, body) select ?, ?, l.id, ? from" + alive;
        list = "select c.election, c.body, l.id, case when l.dead then 0 when l.id is null then 0 else 1 end,"
                + " case when l.expires_us<=" + dialect.now() + " then 1 else 0 end, " + dialect.standbySign()
                + " from " + dialect.names()
                + " left join incumbent_candidate c on c.election=j.name left join incumbent_lease l on l.id=c.lease"
                + " order by c.position";
    }

    /** A lease is told lost only once it is buried: whoever found it over by a clock that has stepped back since, enlists. */
    void enlist(ServerSession session, ElectionName election, Enlisted enlisted) throws SQLException {
        CandidateId candidate = enlisted.candidate().id();
        session.write(DROP_DEAD, election, candidate);
        for (int attempt = 1; attempt <= 2; attempt++) {
            if (updated(session, election, enlisted) || inserted(session, election, enlisted)) {
                return;
            }
        }
        leases.bury(session, List.of(enlisted.lease().value()));
        if (!leases.isAlive(session, enlisted.lease())) {
            throw new LeaseLostException(enlisted.lease(), "nobody enlists on it in " + election);
        }
        if (!updated(session, election, enlisted) && !inserted(session, election, enlisted)) {
            throw new CoordinatorException(
                    "lease " + enlisted.lease() + " was not found for an enlisting in " + election + ", and is there",
                    false);
        }
    }

    private boolean updated(ServerSession session, ElectionName election, Enlisted enlisted) throws SQLException {
        return session.write(
                        update,
                        enlisted.lease(),
                        RecordJson.write(enlisted),
                        election,
                        enlisted.candidate().id(),
                        enlisted.lease())
                > 0;
    }

    /** False where its lease is dead, and where its own other call has just enlisted it. */
    private boolean inserted(ServerSession session, ElectionName election, Enlisted enlisted) throws SQLException {
        try {
            return session.write(
                            insert, election, enlisted.candidate().id(), RecordJson.write(enlisted), enlisted.lease())
                    > 0;
        } catch (SQLException e) {
            if (store.dialect().isDuplicate(e)) {
                return false;
            }
            throw e;
        }
    }

    void withdraw(ServerSession session, ElectionName election, CandidateId candidate) throws SQLException {
        session.write("delete from incumbent_candidate where election=? and candidate=?", election, candidate);
    }

    /** The lists of some elections. Who reads them sweeps, now and then. */
    Map<ElectionName, List<Enlisted>> list(ServerSession session, Set<ElectionName> elections, long nowNanos)
            throws SQLException {
        Map<ElectionName, List<Enlisted>> lists = new HashMap<>();
        elections.forEach(election -> lists.put(election, new ArrayList<>()));
        if (elections.isEmpty() || !store.isReady(session)) {
            return lists;
        }
        List<Row> rows = rows(session, elections);
        List<String> overdue = rows.stream()
                .filter(row -> row.alive() && row.overdue())
                .flatMap(row -> row.lease().stream())
                .distinct()
                .toList();
        boolean dueToSweep = isDueToSweep(nowNanos);
        if (store.mayWrite() && (dueToSweep || !overdue.isEmpty())) {
            leases.bury(session, overdue);
            if (dueToSweep) {
                leases.sweep(session);
            }
            rows = rows(session, elections);
        }
        rows.stream()
                .filter(Row::alive)
                .forEach(row -> enlisted(row)
                        .ifPresent(one -> lists.computeIfAbsent(
                                        new ElectionName(row.election()), election -> new ArrayList<>())
                                .add(one)));
        return lists;
    }

    private record Row(String election, String body, Optional<String> lease, boolean alive, boolean overdue) {}

    /** There is a row for each election, so that a standby that knows no candidate is refused, too. */
    private List<Row> rows(ServerSession session, Set<ElectionName> elections) throws SQLException {
        List<Optional<Row>> rows = session.sql()
                .query(
                        list,
                        row -> {
                            store.refuseStandby(row.getString(6));
                            return row.getString(1) == null ? Optional.empty() : Optional.of(rowOf(row));
                        },
                        store.dialect().namesArgument(session.connection(), elections));
        return rows.stream().flatMap(Optional::stream).toList();
    }

    private static Row rowOf(ResultSet row) throws SQLException {
        return new Row(
                row.getString(1),
                row.getString(2),
                Optional.ofNullable(row.getString(3)),
                row.getInt(4) == 1,
                row.getInt(5) == 1);
    }

    /** A candidate of a later version stands, but not for anybody who cannot read what it brings. */
    private static Optional<Enlisted> enlisted(Row row) {
        try {
            return Optional.of(RecordJson.readEnlisted(row.body()));
        } catch (UnreadableRecordException later) {
            return Optional.empty();
        }
    }

    private synchronized boolean isDueToSweep(long nowNanos) {
        boolean due = sweptAtNanos.isEmpty() || nowNanos - sweptAtNanos.getAsLong() >= SWEEP_EVERY_NANOS;
        if (due) {
            sweptAtNanos = OptionalLong.of(nowNanos);
        }
        return due;
    }
}
