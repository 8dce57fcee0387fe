package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import java.sql.Array;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Swaps and enlistings of many elections as one statement each, where the server takes arrays: so they share its round trip and its flush of the disk. They only
 * serve whom the common way would serve at once: who is refused, or would wait for a lock, is left to go alone.
 */
final class ServerJoints {
    /** Whoever is asked for together creates in one order, lest two wait for each other. */
    private static final String CREATE =
            "insert into incumbent_election(name, revision, nonce, lease, record) select j.name, 1, j.nonce, j.lease,"
                    + " j.record from unnest(?, ?, ?, ?) j(name, nonce, lease, record) order by j.name"
                    + " on conflict do nothing returning name, " + PostgresDialect.DURABLY_HERE;

    /** Rows that somebody has locked are skipped. */
    private static final String UPDATE = "with free as (select e.name from unnest(?, ?) j(name, expected)"
            + " join incumbent_election e on e.name=j.name and e.nonce=j.expected for update of e skip locked),"
            + " swapped as (update incumbent_election e set revision=e.revision+1, nonce=j.nonce, lease=j.lease,"
            + " record=j.record from unnest(?, ?, ?, ?, ?) j(name, expected, nonce, lease, record), free"
            + " where free.name=j.name and e.name=j.name and e.nonce=j.expected returning e.name)"
            + " select name, " + PostgresDialect.DURABLY_HERE + " from swapped";

    private static final String DROP_DEAD =
            "delete from incumbent_candidate c using unnest(?, ?) j(election, candidate)"
                    + " where c.election=j.election and c.candidate=j.candidate and not exists"
                    + " (select 1 from incumbent_lease l where l.id=c.lease and not l.dead)";

    private final String insert;
    private final Share.Joint<Swapping, Swap> creating = ServerJoints::createAll;
    private final Share.Joint<Swapping, Swap> updating = ServerJoints::updateAll;
    private final Share.Joint<Enlisting, Boolean> enlisting = this::enlistAll;

    ServerJoints(Dialect dialect) {
        insert =
                "insert into incumbent_candidate(election, candidate, lease, body) select j.election, j.candidate, l.id,"
                        + " j.body from unnest(?, ?, ?, ?) j(election, candidate, lease, body) join incumbent_lease l on"
                        + " l.id=j.lease where not l.dead and l.expires_us>" + dialect.now()
                        + " on conflict do nothing returning election, candidate, " + PostgresDialect.DURABLY_HERE;
    }

    record Swapping(ElectionName election, Revision expected, LeaderRecord next) {}

    record Enlisting(ElectionName election, Enlisted enlisted) {
        String candidate() {
            return enlisted.candidate().id().value();
        }
    }

    Share<Swapping, Swap> swap(Swapping swapping) {
        boolean creates = swapping.expected().equals(Revision.ABSENT);
        return new Share<>(creates ? creating : updating, swapping.election(), swapping);
    }

    Share<Enlisting, Boolean> enlist(Enlisting one) {
        return new Share<>(enlisting, one.election(), one);
    }

    private static Map<Integer, Swap> createAll(ServerSession session, List<Swapping> all) throws SQLException {
        return accepted(
                all,
                session.sql()
                        .query(
                                CREATE,
                                row -> row.getString(1),
                                texts(session, all, it -> it.election().value()),
                                texts(session, all, it -> it.next().nonce()),
                                texts(session, all, ServerJoints::lease),
                                texts(session, all, it -> RecordJson.write(it.next()))));
    }

    private static Map<Integer, Swap> updateAll(ServerSession session, List<Swapping> all) throws SQLException {
        Array names = texts(session, all, it -> it.election().value());
        Array expected = texts(session, all, it -> it.expected().value());
        return accepted(
                all,
                session.sql()
                        .query(
                                UPDATE,
                                row -> row.getString(1),
                                names,
                                expected,
                                names,
                                expected,
                                texts(session, all, it -> it.next().nonce()),
                                texts(session, all, ServerJoints::lease),
                                texts(session, all, it -> RecordJson.write(it.next()))));
    }

    private Map<Integer, Boolean> enlistAll(ServerSession session, List<Enlisting> all) throws SQLException {
        Array elections = texts(session, all, it -> it.election().value());
        Array candidates = texts(session, all, Enlisting::candidate);
        session.write(DROP_DEAD, elections, candidates);
        Set<List<String>> inserted = new HashSet<>(session.sql()
                .query(
                        insert,
                        row -> List.of(row.getString(1), row.getString(2)),
                        elections,
                        candidates,
                        texts(session, all, it -> it.enlisted().lease().value()),
                        texts(session, all, it -> RecordJson.write(it.enlisted()))));
        Map<Integer, Boolean> done = new HashMap<>();
        for (int i = 0; i < all.size(); i++) {
            Enlisting one = all.get(i);
            if (inserted.contains(List.of(one.election().value(), one.candidate()))) {
                done.put(i, true);
            }
        }
        return done;
    }

    /** No election is there twice; whether a nonce is, is for the callers. */
    private static Map<Integer, Swap> accepted(List<Swapping> all, List<String> elections) {
        Set<String> written = new HashSet<>(elections);
        Map<Integer, Swap> accepted = new HashMap<>();
        for (int i = 0; i < all.size(); i++) {
            Swapping one = all.get(i);
            if (written.contains(one.election().value())) {
                accepted.put(i, new Swap.Accepted(new Revision(one.next().nonce())));
            }
        }
        return accepted;
    }

    @SuppressWarnings("NullAway") // SQL's null
    private static String lease(Swapping swapping) {
        return swapping.next().lease().map(LeaseId::value).orElse(null);
    }

    private static <I> Array texts(ServerSession session, List<I> all, Function<I, String> text) throws SQLException {
        return session.connection().createArrayOf("text", all.stream().map(text).toArray());
    }
}
