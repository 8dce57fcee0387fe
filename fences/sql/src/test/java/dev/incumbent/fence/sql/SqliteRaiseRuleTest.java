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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The triggers' rule and {@link MarkRule} are one. */
class SqliteRaiseRuleTest {
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final List<Long> TOKENS =
            List.of(1L, 4L, 5L, 14L, Raise.FURTHEST, Raise.FURTHEST + 4, Long.MAX_VALUE);
    private static final List<MarkOwner> OWNERS = List.of(
            MarkOwner.ofCandidate(new CandidateId("anna")),
            MarkOwner.ofCandidate(new CandidateId("freeze:anna")),
            MarkOwner.ofOperator("ops"),
            MarkOwner.ofFreeze("ops"),
            MarkOwner.ofFreeze("thaw:4:ops"),
            MarkOwner.ofThaw("ops", 4),
            MarkOwner.ofThaw("4:ops", 1),
            MarkOwner.ofThaw("ops", 0));

    @Test
    void everyRaiseOverEveryMarkIsDecidedAlike() throws Exception {
        try (Ledger ledger = Ledger.inMode("WAL");
                Connection connection = ledger.connect()) {
            SqliteFile.run(connection, "PRAGMA synchronous = OFF");
            int compared = 0;
            for (Mark asked : marks()) {
                compare(connection, MarkRule.unmarked(), List.of(), asked);
                for (Mark inForce : marks()) {
                    compare(connection, MarkRule.at(inForce), List.of(inForce), asked);
                    compared++;
                }
            }
            assertThat(compared).isEqualTo(56 * 56);
        }
    }

    private static void compare(Connection connection, MarkRule rule, List<Mark> inForce, Mark asked) throws Exception {
        SqliteFile.run(connection, "DELETE FROM incumbent_fence");
        for (Mark mark : inForce) {
            SqliteFile.run(
                    connection,
                    "INSERT INTO incumbent_fence VALUES ('billing', " + mark.token() + ", '" + mark.owner()
                            + "', 'then')");
        }

        Raise decided = SqliteQuestions.raise(connection, BILLING, asked);

        assertThat(decided).as("%s over %s", asked, inForce).isEqualTo(rule.raise(asked));
        List<Mark> expected = decided instanceof Raise.Raised ? List.of(asked) : inForce;
        assertThat(SqliteQuestions.MARKS.all(connection).marks().values())
                .as("the mark after %s over %s", asked, inForce)
                .containsExactlyElementsOf(expected);
    }

    private static List<Mark> marks() {
        List<Mark> marks = new ArrayList<>();
        TOKENS.forEach(token -> OWNERS.forEach(owner -> marks.add(new Mark(new FencingToken(token), owner))));
        return marks;
    }
}
