package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaseId;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The table of leases in a database server. A lease is alive until it is marked dead, whatever the server's clock says: so "dead" is one committed fact
 * that a keep-alive and a burial race for, and only one wins, however that clock steps.
 */
final class ServerLeases {
    /** The dead are remembered this long; their ids are never granted again in any case. */
    private static final long REMEMBERED_MICROS = TimeUnit.MINUTES.toMicros(10);

    private final ServerStore store;
    private final String grant;
    private final String keep;
    private final String bury;
    private final String alive;
    private final String buryAll;
    private final String forget;
    private final String clock;

    ServerLeases(ServerStore store) {
        this.store = store;
        Dialect dialect = store.dialect();
        String now = dialect.now();
        grant = "insert into incumbent_lease(id, owner, ttl_us, expires_us, dead) values(?, ?, ?, " + now
                + " + ?, false)";
        keep = "update incumbent_lease set expires_us=greatest(expires_us, " + now
                + " + ttl_us) where id=? and not dead and expires_us>" + now + dialect.unlessStandby();
        bury = "update incumbent_lease set dead=true where id=? and not dead and expires_us<=" + now
                + dialect.unlessStandby();
        alive = "select count(*), " + dialect.standbySign() + " from incumbent_lease where id=? and not dead";
        buryAll = "update incumbent_lease set dead=true where not dead and expires_us<=" + now;
        forget = "delete from incumbent_lease where dead and expires_us<" + now + " - " + REMEMBERED_MICROS;
        clock = "select " + now;
    }

    void grant(ServerSession session, LeaseId id, CandidateId owner, Duration length) throws SQLException {
        long micros = TimeUnit.NANOSECONDS.toMicros(length.toNanos());
        session.write(grant, id, owner, micros, micros);
    }

    /** One statement where all is well. What is over is buried before its holder is told so, unless the server has become a standby, where nothing is kept, buried or told. */
    void keepAlive(ServerSession session, LeaseId id) throws SQLException {
        if (session.write(keep, id) == 1) {
            return;
        }
        bury(session, id);
        if (!isAlive(session, id)) {
            throw new LeaseLostException(id, "it was told dead, or ended before it was kept alive");
        }
        if (session.write(keep, id) != 1) {
            throw new CoordinatorException("lease " + id + " was not found twice, and is there", false);
        }
    }

    void revoke(ServerSession session, LeaseId id) throws SQLException {
        session.write("update incumbent_lease set dead=true where id=? and not dead", id);
    }

    private void bury(ServerSession session, LeaseId id) throws SQLException {
        session.write(bury, id);
    }

    /** Buries those of some leases whose time is over. */
    void bury(ServerSession session, Collection<String> overdue) throws SQLException {
        for (String id : overdue) {
            bury(session, new LeaseId(id));
        }
    }

    boolean isAlive(ServerSession session, LeaseId id) throws SQLException {
        List<Boolean> answer = session.sql()
                .query(
                        alive,
                        row -> {
                            store.refuseStandby(row.getString(2));
                            return row.getLong(1) == 1;
                        },
                        id);
        return answer.get(0);
    }

    /** Buries every lease whose time is over, takes the dead off the lists of candidates, and forgets the long dead. */
    void sweep(ServerSession session) throws SQLException {
        session.write(buryAll);
        session.write("delete from incumbent_candidate where not exists (select 1 from incumbent_lease l"
                + " where l.id=incumbent_candidate.lease and not l.dead)");
        session.write(forget);
    }

    Instant clock(ServerSession session) throws SQLException {
        return Instant.EPOCH.plus(session.sql().number(clock), ChronoUnit.MICROS);
    }
}
