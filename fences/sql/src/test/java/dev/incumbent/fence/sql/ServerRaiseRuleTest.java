package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fence.MarkRule;
import dev.incumbent.fence.Raise;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The servers' rule and {@link MarkRule} are one. */
@Tag("trial")
class ServerRaiseRuleTest {
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final List<Long> TOKENS = List.of(1L, 4L, 5L, Raise.FURTHEST, Raise.FURTHEST + 4, Long.MAX_VALUE);
    private static final List<MarkOwner> OWNERS = List.of(
            MarkOwner.ofCandidate(new CandidateId("freeze:anna")),
            MarkOwner.ofOperator("ops"),
            MarkOwner.ofFreeze("thaw:4:ops"),
            MarkOwner.ofThaw("ops", 4),
            MarkOwner.ofThaw("4:ops", 1),
            MarkOwner.ofThaw("ops", 0));

    @Test
    void everyRaiseIsDecidedAlikeOnPostgres() throws Exception {
        try (Database database = PostgresDatabase.create()) {
            compareAll(database, new PostgresServer(Dialect.uri(database.url())));
        }
    }

    @Test
    void everyRaiseIsDecidedAlikeOnMariaDb() throws Exception {
        try (Database database = MariaDbDatabase.create()) {
            compareAll(database, new MariaDbServer(Dialect.uri(database.url())));
        }
    }

    private static void compareAll(Database database, Server server) throws Exception {
        int compared = 0;
        try (Connection connection = server.connect(Duration.ofSeconds(20))) {
            for (Mark asked : marks()) {
                compare(connection, server, List.of(), asked);
                for (Mark inForce : marks()) {
                    compare(connection, server, List.of(inForce), asked);
                    compared++;
                }
            }
        }
        assertThat(compared).isEqualTo(36 * 36);
        assertThat(database.lines()).isEmpty();
    }

    private static void compare(Connection connection, Server server, List<Mark> inForce, Mark asked) throws Exception {
        Installation.execute(connection, "DELETE FROM " + server.table("fence"));
        for (Mark mark : inForce) {
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO " + server.table("fence")
                    + "(election, token, owner, raised_at) VALUES ('billing', ?, ?, CURRENT_TIMESTAMP)")) {
                insert.setLong(1, mark.token().value());
                insert.setString(2, mark.owner().text());
                insert.executeUpdate();
            }
        }
        MarkRule rule = inForce.isEmpty() ? MarkRule.unmarked() : MarkRule.at(inForce.get(0));

        Raise decided =
                server.raise(connection, new Server.RaiseAsked(BILLING, asked, Duration.ZERO), Duration.ofSeconds(10));

        assertThat(decided).as("%s over %s", asked, inForce).isEqualTo(rule.raise(asked));
        List<Mark> expected = decided instanceof Raise.Raised ? List.of(asked) : inForce;
        assertThat(server.marks().all(connection).marks().values())
                .as("the mark after %s over %s", asked, inForce)
                .containsExactlyElementsOf(expected);
    }

    private static List<Mark> marks() {
        List<Mark> marks = new ArrayList<>();
        TOKENS.forEach(token -> OWNERS.forEach(owner -> marks.add(new Mark(new FencingToken(token), owner))));
        return marks;
    }
}
