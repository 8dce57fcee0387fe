package dev.incumbent.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.ElectionAdmin;
import dev.incumbent.acceptance.Contender.Arena;
import dev.incumbent.acceptance.Contender.Begun;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.model.Timing;
import dev.incumbent.outcome.RequestedTransfer;
import dev.incumbent.time.SystemTimeline;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One election on one store: two contenders, a writer of rows, and an operator with a client of its own. Every wait ends at the deadline, in an exception. Used by one
 * thread.
 */
final class Contest implements AutoCloseable {
    /** The record begins with so many former terms: tokens older than the first leader's exist. */
    static final long FORMER_TERMS = 41;

    private final Duration deadline;
    private final SystemTimeline time = new SystemTimeline();
    private final BlockingQueue<Begun> begun = new LinkedBlockingQueue<>();
    private final Arena arena;
    private final Coordinator operator;
    private final Ledger.Pen pen;
    private final List<Contender> contenders = new ArrayList<>();

    /** Both contenders stand from now on. */
    Contest(String uri, Ledger ledger, ElectionName election, Times times) throws Exception {
        deadline = times.deadline();
        arena = new Arena(uri, time, times.timing(), ledger, election);
        operator = Coordinators.open(uri, time, deadline);
        pen = ledger.pen();
        rememberFormerTerms();
        stand("ann");
        stand("bob");
    }

    /** The contenders' timing, and when a wait is given up. */
    record Times(Timing timing, Duration deadline) {}

    private void rememberFormerTerms() throws Exception {
        LeaderRecord former = LeaderRecord.EMPTY
                .vacated(FORMER_TERMS, Instant.EPOCH)
                .written(UUID.randomUUID().toString());
        assertThat(await("the first record", operator.swap(arena.election(), Revision.ABSENT, former)))
                .isInstanceOf(Swap.Accepted.class);
    }

    private void stand(String name) {
        contenders.add(new Contender(arena, name, deadline, begun::add));
    }

    /** The next term whose task begins. */
    Begun nextTerm(String which) throws InterruptedException {
        Begun next = begun.poll(deadline.toNanos(), TimeUnit.NANOSECONDS);
        assertThat(next)
                .as("%s begins within %s; the contenders: %s", which, deadline, healths())
                .isNotNull();
        return next;
    }

    private List<String> healths() {
        return contenders.stream()
                .map(one -> one.candidacy().health().toString())
                .toList();
    }

    /** Has a term begun that {@link #nextTerm} has not told? */
    boolean hasAnotherTerm() {
        return !begun.isEmpty();
    }

    /** The contender that leads that term. */
    Contender leader(Begun term) {
        return contenders.stream().filter(one -> one.leads(term)).findFirst().orElseThrow();
    }

    /** The contender that does not lead that term. */
    Contender other(Begun term) {
        return contenders.stream().filter(one -> !one.leads(term)).findFirst().orElseThrow();
    }

    /** Waits until the contender is on the store's list of candidates. */
    void awaitEnlisted(Contender contender) throws InterruptedException {
        boolean isEnlisted = new Patience(time)
                .await(deadline, () -> contender.candidacy().health().enlisted());
        assertThat(isEnlisted).as("enlisted: %s", healths()).isTrue();
    }

    /** What the stage ends in; {@code what} it stands for is told if it does not end. */
    <T> T await(String what, CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get(deadline.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new AssertionError(
                    what + " did not come within " + deadline + "; the contenders: " + healths(), late);
        }
    }

    /** Asks the leader to hand over to that contender. */
    RequestedTransfer transferTo(Contender successor) throws Exception {
        return await(
                "the transfer",
                ElectionAdmin.over(operator, time, arena.election(), "operator")
                        .transferTo(successor.candidate().id().value(), deadline));
    }

    /** Ends the lease of that term's leader at the store. Nobody tells the leader. */
    void revokeLeaseOf(Begun term) throws Exception {
        LeaderRecord named = record();
        assertThat(named.leader()).contains(term.leadership().term().leader());
        await("the revocation", operator.revoke(named.lease().orElseThrow()));
    }

    private LeaderRecord record() throws Exception {
        Reading reading = await("the record", operator.read(Set.of(arena.election())))
                .getOrDefault(arena.election(), new Reading.Absent());
        assertThat(reading).isInstanceOf(Reading.Found.class);
        return ((Reading.Found) reading).record().record();
    }

    /** Writes a row with that token. */
    void write(FencingToken token) throws Exception {
        pen.write(token, "pen");
    }

    @Override
    public void close() throws SQLException {
        contenders.forEach(Contender::close);
        operator.close();
        pen.close();
        time.close();
    }
}
