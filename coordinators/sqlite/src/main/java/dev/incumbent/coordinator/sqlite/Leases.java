package dev.incumbent.coordinator.sqlite;

import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.jdbc.Sql;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaseId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The table of leases. A lease is alive until it is marked dead, whatever the clock says: so "dead" is one committed fact that a
 * keep-alive and a burial race for, and only one wins.
 */
final class Leases {
    /** The dead are remembered this long; their ids are never granted again in any case. */
    private static final Duration REMEMBERED = Duration.ofMinutes(10);

    private Leases() {}

    static void grant(Tx tx, LeaseId id, CandidateId owner, Duration length) throws SQLException {
        long nanos = length.toNanos();
        sql(tx).update(
                        "insert into incumbent_lease(id, owner, ttl_ns, expires_ns, boot, file) values(?,?,?,?,?,?)",
                        id.value(),
                        owner.value(),
                        nanos,
                        tx.now() + nanos,
                        tx.boot().id(),
                        tx.file());
    }

    static void keepAlive(Tx tx, LeaseId id) throws SQLException {
        LeaseRow row = find(tx, id).orElseThrow(() -> new LeaseLostException(id, "the store does not know it"));
        if (row.dead()) {
            throw new LeaseLostException(id, "it was told dead");
        }
        if (!row.file().equals(tx.file())) {
            // Not buried: its holder may still act until it ends, and so it counts as alive for the others until then.
            throw new LeaseLostException(id, "the store's file was replaced since it was granted");
        }
        if (row.isOverdue(tx)) {
            bury(tx, id);
            throw new LeaseLostException(id, "it ended before it was kept alive");
        }
        sql(tx).update(
                        "update incumbent_lease set expires_ns=max(expires_ns, ?) where id=?",
                        tx.now() + row.lengthNanos(),
                        id.value());
    }

    static void revoke(Tx tx, LeaseId id) throws SQLException {
        bury(tx, id);
        sql(tx).update("delete from incumbent_candidate where lease=?", id.value());
    }

    static Optional<LeaseRow> find(Tx tx, LeaseId id) throws SQLException {
        List<LeaseRow> rows = sql(tx).query(
                        "select " + LeaseRow.COLUMNS + " from incumbent_lease l where l.id=?",
                        row -> LeaseRow.of(row, 1),
                        id.value());
        return rows.stream().findFirst();
    }

    /** Is any lease overdue, or any candidate's dead? */
    static boolean hasWorkToSweep(Tx tx) throws SQLException {
        return sql(tx).number(
                                "select exists(select 1 from incumbent_lease where dead=0 and " + OVERDUE + ")"
                                        + " or exists(select 1 from incumbent_candidate c left join incumbent_lease l"
                                        + " on l.id=c.lease where coalesce(l.dead, 1))",
                                unknownBoot(tx),
                                tx.now(),
                                tx.boot().id(),
                                tx.now())
                == 1;
    }

    /** As {@link LeaseRow#isOverdue} has it. */
    private static final String OVERDUE =
            "(case when boot='' or ? then expires_ns-?>ttl_ns else boot<>? end or expires_ns<=?)";

    /** Buries every lease whose time is over. */
    static void buryOverdue(Tx tx) throws SQLException {
        long now = tx.now();
        sql(tx).update(
                        "update incumbent_lease set dead=1 where dead=0 and " + OVERDUE,
                        unknownBoot(tx),
                        now,
                        tx.boot().id(),
                        now);
    }

    /** Buries what is overdue, takes the dead off the lists of candidates, and forgets the long dead. */
    static void sweep(Tx tx) throws SQLException {
        buryOverdue(tx);
        sql(tx).update("delete from incumbent_candidate where not exists"
                + " (select 1 from incumbent_lease l where l.id=incumbent_candidate.lease and l.dead=0)");
        sql(tx).update(
                        "delete from incumbent_lease where dead=1 and (boot<>? or expires_ns<?)",
                        tx.boot().id(),
                        tx.now() - REMEMBERED.toNanos());
    }

    private static void bury(Tx tx, LeaseId id) throws SQLException {
        sql(tx).update("update incumbent_lease set dead=1 where id=?", id.value());
    }

    private static long unknownBoot(Tx tx) {
        return tx.boot().isKnown() ? 0 : 1;
    }

    private static Sql sql(Tx tx) {
        return tx.sql().orElseThrow();
    }
}
