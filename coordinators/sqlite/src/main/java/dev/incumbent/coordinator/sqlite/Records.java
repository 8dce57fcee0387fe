package dev.incumbent.coordinator.sqlite;

import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.jdbc.Names;
import dev.incumbent.jdbc.Sql;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The table of records. A record and its leader's lease are read by one query, and so at the same instant. */
final class Records {
    private static final String LEASE_OF = " left join incumbent_lease l on l.id=e.lease";

    private static final String READ = "select e.name, e.revision, e.nonce, e.record, e.lease, " + LeaseRow.COLUMNS
            + " from json_each(?) j cross join incumbent_election e on e.name=j.value" + LEASE_OF;

    /** As {@link #READ}, the record's text only where its nonce is not the one last seen. */
    private static final String POLL =
            "select e.name, e.revision, e.nonce, case when e.nonce is not j.value then e.record end,"
                    + " e.lease, " + LeaseRow.COLUMNS
                    + " from json_each(?) j cross join incumbent_election e on e.name=j.key" + LEASE_OF;

    private Records() {}

    static Map<ElectionName, Reading> read(Tx tx, Set<ElectionName> elections) throws SQLException, NeedsWrite {
        Map<ElectionName, Reading> readings = new HashMap<>();
        elections.forEach(election -> readings.put(election, new Reading.Absent()));
        for (ElectionRow row : rows(tx, READ, Names.array(elections))) {
            readings.put(new ElectionName(row.name()), row.reading(tx));
        }
        return readings;
    }

    /** The records of those elections that have one, their text left out where the nonce is the one given. */
    static List<ElectionRow> poll(Tx tx, String namesWithNonces) throws SQLException, NeedsWrite {
        return rows(tx, POLL, namesWithNonces);
    }

    static Swap swap(Tx tx, ElectionName election, Revision expected, LeaderRecord next)
            throws SQLException, NeedsWrite {
        Sql sql = tx.sql().orElseThrow();
        String text = RecordJson.write(next);
        Optional<String> lease = next.lease().map(LeaseId::value);
        int swapped = expected.equals(Revision.ABSENT)
                ? sql.update(
                        "insert into incumbent_election(name, revision, nonce, lease, record) values(?,1,?,?,?)"
                                + " on conflict do nothing",
                        election,
                        next.nonce(),
                        lease,
                        text)
                : sql.update(
                        "update incumbent_election set revision=revision+1, nonce=?, lease=?, record=?"
                                + " where name=? and nonce=?",
                        next.nonce(),
                        lease,
                        text,
                        election,
                        expected.value());
        return swapped == 1 ? new Swap.Accepted(new Revision(next.nonce())) : refused(tx, election, next);
    }

    /** The elections that have a record or a candidate, named so or beneath that name. */
    static List<ElectionName> list(Tx tx, String prefix) throws SQLException {
        if (tx.sql().isEmpty()) {
            return List.of();
        }
        // Beneath "a/" lies what sorts from "a/" to before "a0", '0' being the character after '/'.
        List<String> names = tx.sql()
                .get()
                .query(
                        "select name from incumbent_election where ?='' or name=? or (name>=?||'/' and name<?||'0')"
                                + " union select election from incumbent_candidate"
                                + " where ?='' or election=? or (election>=?||'/' and election<?||'0') order by 1",
                        row -> row.getString(1),
                        prefix,
                        prefix,
                        prefix,
                        prefix,
                        prefix,
                        prefix,
                        prefix,
                        prefix);
        return names.stream()
                .flatMap(name -> ElectionName.ifLegal(name).stream())
                .toList();
    }

    private static Swap refused(Tx tx, ElectionName election, LeaderRecord next) throws SQLException, NeedsWrite {
        List<ElectionRow> rows = rows(tx, READ, Names.array(List.of(election)));
        if (rows.isEmpty()) {
            return new Swap.Refused(Optional.of(ObservedRecord.ABSENT));
        }
        if (rows.get(0).nonce().equals(next.nonce())) {
            return new Swap.Accepted(new Revision(next.nonce()));
        }
        try {
            return new Swap.Refused(Optional.of(rows.get(0).observed(tx)));
        } catch (UnreadableRecordException e) {
            return new Swap.Refused(Optional.empty());
        }
    }

    /** The rows of a query, read again if a lease had to be buried before it can be told dead. */
    private static List<ElectionRow> rows(Tx tx, String query, String names) throws SQLException, NeedsWrite {
        if (tx.sql().isEmpty()) {
            return new ArrayList<>();
        }
        List<ElectionRow> rows = tx.sql().get().query(query, ElectionRow::of, names);
        if (rows.stream().anyMatch(row -> row.isOverdue(tx)) && tx.mayWrite()) {
            Leases.buryOverdue(tx);
            return tx.sql().get().query(query, ElectionRow::of, names);
        }
        return rows;
    }
}
