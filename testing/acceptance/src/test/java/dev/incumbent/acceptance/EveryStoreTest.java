package dev.incumbent.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.Candidacy;
import dev.incumbent.Leadership;
import dev.incumbent.acceptance.Contender.Begun;
import dev.incumbent.acceptance.Store.Running;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.Timing;
import dev.incumbent.outcome.RequestedTransfer;
import dev.incumbent.servers.PostgresServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One election on every coordinator, on its real server: two contenders of the shipped library, and one PostgreSQL behind whose fence they write.
 *
 * <p>No wait is for the end of a lease. The loss is the revocation of the leader's lease at the store. A keep-alive would tell the leader only after a third
 * of the lease, and the deadline is shorter. So on every store the leader learns it from the watch: the watch tells the other contender that the lease is dead, that
 * contender claims the next term, and the watch tells the leader that the record has changed.
 */
@Tag("patient")
class EveryStoreTest {
    /** Every store grants it; ZooKeeper, whose longest session is 20 ticks, is started with a long tick. */
    private static final Duration LEASE = Duration.ofMinutes(6);
    /** Catches what hangs, not what is slow. */
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private static final Contest.Times TIMES =
            new Contest.Times(Timing.ofLease(LEASE, DEADLINE, Duration.ZERO), DEADLINE);
    private static PostgresServer server;

    @BeforeAll
    static void start() {
        server = PostgresServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static List<String> stores() {
        return Stores.names();
    }

    @ParameterizedTest(name = "{0}", quoteTextArguments = false)
    @MethodSource("stores")
    void oneElectionIsWonFencedHandedOverAndLost(String store) throws Exception {
        Stores.whyAbsent(store).ifPresent(Assumptions::abort);
        ElectionName election = new ElectionName("gate/" + store);
        Ledger ledger = Ledger.create(server.jdbcUrl(), election, "ledger_" + store);

        try (Running running =
                        Stores.named(List.of(store), LEASE).get(0).begin().call();
                Contest contest = new Contest(running.uri(), ledger, election, TIMES)) {
            Begun first = isWon(contest);
            isFenced(contest, first);
            Begun second = isHandedOver(contest, first);
            Begun third = isLost(contest, second);

            assertThat(third.leadership().holds()).as("the last leader holds").isTrue();
            assertThat(contest.hasAnotherTerm()).as("a fourth term").isFalse();
        }
        assertThat(ledger.audit()).isEqualTo(new Ledger.Audit(ledger.accepted(), 0));
    }

    /** One contender leads and the other does not. The sink was raised before the task began. */
    private static Begun isWon(Contest contest) throws Exception {
        Begun first = contest.nextTerm("the first term");

        assertThat(token(first).value()).as("the first token").isGreaterThan(Contest.FORMER_TERMS);
        assertRaisedBeforeTheTask(first);
        assertThat(first.leadership().holds()).as("the first leader holds").isTrue();
        assertThat(contest.other(first).candidacy().leadership())
                .as("the other contender's leadership")
                .isEmpty();
        return first;
    }

    /** The sink takes the leader's rows and refuses those of older tokens. */
    private static void isFenced(Contest contest, Begun first) throws Exception {
        FencingToken former = new FencingToken(token(first).value() - 1);
        FencingToken oldest = new FencingToken(1);

        contest.write(token(first));

        assertRefused(contest, former);
        assertRefused(contest, oldest);
    }

    /**
     * At an operator's request the first leader stops, and the other contender leads the next term. The first leader stands aside meanwhile: otherwise it might claim the
     * next term itself on a machine where the successor needs longer than the transfer grace of two seconds.
     */
    private static Begun isHandedOver(Contest contest, Begun first) throws Exception {
        Contender successor = contest.other(first);
        Candidacy former = contest.leader(first).candidacy();
        contest.awaitEnlisted(successor);
        CompletionStage<EndReason> ended =
                first.leadership().ended().whenComplete((why, failure) -> former.setHealthy(false));

        RequestedTransfer transfer = contest.transferTo(successor);
        Begun second = contest.nextTerm("the successor's term");

        assertThat(transfer).isInstanceOf(RequestedTransfer.Transferred.class);
        assertThat(successor.leads(second)).as("the successor leads").isTrue();
        assertThat(contest.await("the end of the first term", ended)).isEqualTo(EndReason.TRANSFERRED);
        assertSucceeded(contest, first, second);
        former.setHealthy(true);
        return second;
    }

    /** The second leader's lease is revoked at the store although it has minutes left. The first leader leads again, and the second leader's term ends. */
    private static Begun isLost(Contest contest, Begun second) throws Exception {
        Contender successor = contest.other(second);
        contest.awaitEnlisted(successor);
        assertThat(second.leadership().remaining()).isGreaterThan(DEADLINE);

        contest.revokeLeaseOf(second);
        Begun third = contest.nextTerm("the term after the loss");

        assertThat(successor.leads(third)).as("the other contender leads").isTrue();
        assertThat(contest.await("the end of the lost term", second.leadership().ended()))
                .isEqualTo(EndReason.SUPERSEDED);
        assertSucceeded(contest, second, third);
        return third;
    }

    /** The old term is over, its task is told to stop, and its token is refused. The next token is greater, and admitted. */
    private static void assertSucceeded(Contest contest, Begun old, Begun next) throws Exception {
        Leadership former = old.leadership();
        contest.await("the stop of the task", old.stopped());
        assertThat(former.holds()).as("the guard of %s", former.term()).isFalse();
        assertThat(token(next)).isGreaterThan(token(old));
        assertRaisedBeforeTheTask(next);
        assertRefused(contest, token(old));
        contest.write(token(next));
    }

    private static void assertRaisedBeforeTheTask(Begun term) {
        assertThat(term.markAtStart())
                .as(
                        "the sink's mark when the task of %s began",
                        term.leadership().term())
                .contains(Mark.of(term.leadership().term()));
    }

    private static void assertRefused(Contest contest, FencingToken old) {
        assertThatThrownBy(() -> contest.write(old), "a row with token %s", old)
                .isInstanceOf(StaleTokenException.class);
    }

    private static FencingToken token(Begun term) {
        return term.leadership().token();
    }
}
