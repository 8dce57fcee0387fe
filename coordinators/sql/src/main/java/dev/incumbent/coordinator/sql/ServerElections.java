package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The table of records in a database server. A record and its leader's lease are read by one query, and so at the same instant. */
final class ServerElections {
    private final ServerStore store;
    private final ServerLeases leases;
    private final String read;
    private final String poll;
    private final String update;
    private final String create;

    ServerElections(ServerStore store, ServerLeases leases) {
        this.store = store;
        this.leases = leases;
        Dialect dialect = store.dialect();
        String elections =
                " left join incumbent_election e on e.name=j.name left join incumbent_lease l on l.id=e.lease";
        read = "select e.name, e.revision, e.nonce, e.record, " + ServerRow.columns(dialect) + " from "
                + dialect.names() + elections;
        poll = "select e.name, e.revision, e.nonce, case when e.nonce<>j.nonce then e.record end, "
                + ServerRow.columns(dialect) + " from " + dialect.namesWithNonces() + elections;
        String unlessStandby = dialect.unlessStandby();
        update =
                "update incumbent_election set revision=revision+1, nonce=?, lease=?, record=? where name=? and nonce=?"
                        + unlessStandby;
        create = "insert into incumbent_election(name, revision, nonce, lease, record) "
                + (unlessStandby.isEmpty()
                        ? "values(?, 1, ?, ?, ?)"
                        : "select ?, 1, ?, ?, ? from dual where true" + unlessStandby)
                + dialect.orNothing();
    }

    Map<ElectionName, Reading> readings(ServerSession session, Set<ElectionName> elections) throws SQLException {
        Map<ElectionName, Reading> readings = new HashMap<>();
        elections.forEach(election -> readings.put(election, new Reading.Absent()));
        for (ServerRow row : read(session, elections)) {
            readings.put(new ElectionName(row.name()), row.reading());
        }
        return readings;
    }

    private List<ServerRow> read(ServerSession session, Collection<ElectionName> elections) throws SQLException {
        return elections.isEmpty()
                ? List.of()
                : rows(session, read, store.dialect().namesArgument(session.connection(), elections));
    }

    /** The records of those elections that have one, their text left out where the nonce is the one given. */
    List<ServerRow> poll(ServerSession session, Map<ElectionName, String> nonces) throws SQLException {
        return rows(session, poll, store.dialect().namesWithNoncesArguments(session.connection(), nonces));
    }

    /** The rows of a query, read again if a lease had to be buried before it can be told dead. */
    private List<ServerRow> rows(ServerSession session, String query, Object... arguments) throws SQLException {
        if (!store.isReady(session)) {
            return List.of();
        }
        store.confirm(session);
        List<ServerRow> rows = found(session, query, arguments);
        List<String> overdue = rows.stream()
                .filter(ServerRow::isOverdue)
                .flatMap(row -> row.lease().stream())
                .distinct()
                .toList();
        if (overdue.isEmpty() || !store.mayWrite()) {
            return rows;
        }
        leases.bury(session, overdue);
        return found(session, query, arguments);
    }

    /** There is a row for each election that was asked for, so that a standby that knows none is refused, too. */
    private List<ServerRow> found(ServerSession session, String query, Object... arguments) throws SQLException {
        List<Optional<ServerRow>> rows = session.sql()
                .query(
                        query,
                        row -> {
                            store.refuseStandby(row.getString(ServerRow.SIGN));
                            return row.getString(1) == null ? Optional.empty() : Optional.of(ServerRow.of(row));
                        },
                        arguments);
        return rows.stream().flatMap(Optional::stream).toList();
    }

    Swap swap(ServerSession session, ElectionName election, Revision expected, LeaderRecord next) throws SQLException {
        boolean swapped = expected.equals(Revision.ABSENT)
                ? created(session, election, next)
                : updated(session, election, expected, next);
        return swapped ? new Swap.Accepted(new Revision(next.nonce())) : refused(session, election, next);
    }

    private boolean created(ServerSession session, ElectionName election, LeaderRecord next) throws SQLException {
        try {
            return session.write(create, election, next.nonce(), lease(next), RecordJson.write(next)) == 1;
        } catch (SQLException e) {
            if (store.dialect().isDuplicate(e)) {
                return false;
            }
            throw e;
        }
    }

    private boolean updated(ServerSession session, ElectionName election, Revision expected, LeaderRecord next)
            throws SQLException {
        return session.write(update, next.nonce(), lease(next), RecordJson.write(next), election, expected.value())
                == 1;
    }

    private static Optional<String> lease(LeaderRecord record) {
        return record.lease().map(LeaseId::value);
    }

    private Swap refused(ServerSession session, ElectionName election, LeaderRecord next) throws SQLException {
        List<ServerRow> rows = read(session, List.of(election));
        if (rows.isEmpty()) {
            return new Swap.Refused(Optional.of(ObservedRecord.ABSENT));
        }
        if (rows.get(0).nonce().equals(next.nonce())) {
            return new Swap.Accepted(new Revision(next.nonce()));
        }
        try {
            return new Swap.Refused(Optional.of(rows.get(0).observed()));
        } catch (UnreadableRecordException e) {
            return new Swap.Refused(Optional.empty());
        }
    }

    /** The elections that have a record or a candidate, named so or beneath that name. */
    List<ElectionName> list(ServerSession session, String prefix) throws SQLException {
        if (!store.isReady(session)) {
            return List.of();
        }
        if (prefix.isEmpty()) {
            return legal(
                    session,
                    "select name, null from incumbent_election union select election, null from incumbent_candidate");
        }
        // Beneath "a/" lies what sorts from "a/" to before "a0", '0' being the character after '/'.
        String from = prefix + "/";
        String to = prefix + "0";
        return legal(
                session,
                "select name, null from incumbent_election where name=? or (name>=? and name<?)"
                        + " union select election, null from incumbent_candidate"
                        + " where election=? or (election>=? and election<?)",
                prefix,
                from,
                to,
                prefix,
                from,
                to);
    }

    /** One more row has no name, and tells a standby that knows no election. */
    private List<ElectionName> legal(ServerSession session, String names, Object... arguments) throws SQLException {
        List<String> all = session.sql()
                .query(
                        names + " union select '', " + store.dialect().standbySign() + " order by 1",
                        row -> {
                            store.refuseStandby(row.getString(2));
                            return row.getString(1);
                        },
                        arguments);
        return all.stream().flatMap(name -> ElectionName.ifLegal(name).stream()).toList();
    }
}
