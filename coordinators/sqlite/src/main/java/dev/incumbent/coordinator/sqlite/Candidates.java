package dev.incumbent.coordinator.sqlite;

import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.jdbc.Names;
import dev.incumbent.jdbc.Sql;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The table of candidates, in the order of enlisting. */
final class Candidates {
    private Candidates() {}

    static void enlist(Tx tx, ElectionName election, Enlisted enlisted) throws SQLException, NeedsWrite {
        Optional<LeaseRow> lease = Leases.find(tx, enlisted.lease());
        if (lease.isEmpty() || lease.get().dead()) {
            throw new LeaseLostException(enlisted.lease(), "nobody enlists on it in " + election);
        }
        if (lease.get().isOverdue(tx)) {
            Leases.buryOverdue(tx);
            throw new LeaseLostException(enlisted.lease(), "it ended before it was enlisted on in " + election);
        }
        Leases.buryOverdue(tx);
        // Who was enlisted on a lease that has died is not on the list any more, and goes to its end.
        Sql sql = tx.sql().orElseThrow();
        sql.update(
                "delete from incumbent_candidate where election=? and candidate=? and not exists"
                        + " (select 1 from incumbent_lease l where l.id=incumbent_candidate.lease and l.dead=0)",
                election,
                enlisted.candidate().id());
        sql.update(
                "insert into incumbent_candidate(election, candidate, lease, body) values(?,?,?,?)"
                        + " on conflict(election, candidate) do update set lease=excluded.lease,"
                        + " body=excluded.body",
                election,
                enlisted.candidate().id(),
                enlisted.lease(),
                RecordJson.write(enlisted));
    }

    static void withdraw(Tx tx, ElectionName election, CandidateId candidate) throws SQLException {
        tx.sql()
                .orElseThrow()
                .update("delete from incumbent_candidate where election=? and candidate=?", election, candidate);
    }

    /** The lists of some elections. Who reads them sweeps. */
    static Map<ElectionName, List<Enlisted>> list(Tx tx, Set<ElectionName> elections) throws SQLException, NeedsWrite {
        Map<ElectionName, List<Enlisted>> lists = new HashMap<>();
        elections.forEach(election -> lists.put(election, new ArrayList<>()));
        if (tx.sql().isEmpty()) {
            return lists;
        }
        if (Leases.hasWorkToSweep(tx) && tx.mayWrite()) {
            Leases.sweep(tx);
        }
        record Row(String election, String body) {}
        List<Row> rows = tx.sql()
                .get()
                .query(
                        "select c.election, c.body from json_each(?) j"
                                + " cross join incumbent_candidate c on c.election=j.value"
                                + " join incumbent_lease l on l.id=c.lease and l.dead=0 order by c.position",
                        row -> new Row(row.getString(1), row.getString(2)),
                        Names.array(elections));
        for (Row row : rows) {
            try {
                lists.computeIfAbsent(new ElectionName(row.election()), election -> new ArrayList<>())
                        .add(RecordJson.readEnlisted(row.body()));
            } catch (UnreadableRecordException e) {
                // A candidate of a later version: it stands, but not for anybody who cannot read what it brings.
            }
        }
        return lists;
    }
}
