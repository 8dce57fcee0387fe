package dev.incumbent.agent.elections;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.agent.owners.OwnersEffect.Leads;
import dev.incumbent.agent.owners.OwnersEffect.Refused;
import dev.incumbent.agent.owners.OwnersEffect.Reply;
import dev.incumbent.agent.owners.OwnersEffect.Stands;
import dev.incumbent.agent.owners.OwnersEffect.Waits;
import dev.incumbent.agent.owners.OwnersEffect.Why;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Timing;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All elections of a host: their bounds and their end, in real time. */
@Tag("realtime")
@Timeout(120)
class HostElectionsTest {
    private static final Duration LEASE = Duration.ofSeconds(8);
    private static final Duration TTL = Duration.ofSeconds(6);
    /** So long that nobody is missed in a test. */
    private static final Duration LONG = Duration.ofSeconds(90);

    private final SystemTimeline time = new SystemTimeline();
    private final MemoryStore store = new MemoryStore(time);
    private final List<HostElections> all = new ArrayList<>();
    private final List<Runnable> leaving = new ArrayList<>();

    private HostElections host(Duration lease, Sink... sinks) {
        Timing timing = Timing.ofLease(lease);
        MemoryCoordinator coordinator = MemoryCoordinator.connect(store, time, timing.requestTimeout());
        HostElections host = HostElections.open(
                new HostSetup(coordinator, timing, Optional.of("h"), "", List.of(sinks)),
                coordinator,
                new HostElections.Hearers(List.of(), List.of()),
                Allowance.among(1));
        all.add(host);
        return host;
    }

    @AfterEach
    void end() {
        leaving.forEach(Runnable::run);
        all.forEach(HostElections::close);
        time.close();
    }

    @Test
    void aDrainWaitsUntilTheOwnerHasStopped() throws Exception {
        HostElections host = host(LEASE);
        String id = stand(host, "job", TTL);
        long token = awaitLead(host, "job", id).token();

        CompletableFuture<Void> drained = host.drain().toCompletableFuture();

        assertThat(((Waits) beat(host, "job", id, Duration.ZERO)).ended()).isEqualTo(token);
        assertThat(drained.isDone()).isFalse();
        leave(host, "job", id);
        drained.get(10, TimeUnit.SECONDS);
    }

    @Test
    void aDrainWaitsUntilTheSubLeaseHasPassed() throws Exception {
        HostElections host = host(LEASE);
        String id = stand(host, "job", Duration.ofSeconds(3));
        awaitLead(host, "job", id);
        Leads last = (Leads) beat(host, "job", id, Duration.ZERO);
        long told = System.nanoTime();

        host.drain().toCompletableFuture().get(10, TimeUnit.SECONDS);

        assertThat(System.nanoTime() - told).isGreaterThan(last.holdsNanos() - TimeUnit.MILLISECONDS.toNanos(50));
    }

    @Test
    void aDrainWaitsForNoOwnerThatDoesNotLead() throws Exception {
        HostElections leader = host(LEASE);
        awaitLead(leader, "job", stand(leader, "job", TTL));
        HostElections host = host(LEASE);
        stand(host, "job", TTL);

        host.drain().toCompletableFuture().get(3, TimeUnit.SECONDS);
    }

    @Test
    void theElectionsOfAHostAreBoundedAndOneThatAllHaveLeftIsForgotten() {
        HostElections host = host(LONG);
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < Bounds.ELECTIONS; i++) {
            ids.add(stand(host, "e" + i, LONG));
        }
        awaitLead(host, "e0", ids.get(0));

        assertThat(((Refused) campaign(host, "one-more", LONG)).why()).isEqualTo(Why.FULL);
        leave(host, "e0", ids.get(0));
        Waiting.until("room for one", () -> campaign(host, "one-more", LONG) instanceof Stands);
        assertThat(((Refused) campaign(host, "another", LONG)).why()).isEqualTo(Why.FULL);
        assertThat(campaign(host, "e1", LONG)).isInstanceOf(Stands.class);
    }

    @Test
    void heartbeatsThatWaitAreBoundedAndSoIsTheirWait() {
        HostElections host = host(LONG);
        List<CompletableFuture<Reply>> waiting = new ArrayList<>();
        for (int i = 0; i < Bounds.WAITING + 1; i++) {
            String election = "e" + i / (Bounds.OWNERS - 1);
            String id = stand(host, election, LONG);
            if (i % (Bounds.OWNERS - 1) == 0) {
                awaitLead(host, election, id);
            }
            beat(host, election, id, Duration.ZERO);
            waiting.add(asked(reply -> host.heartbeat(new ElectionName(election), heartbeat(id, LONG), reply)));
        }

        assertThat(waiting.get(Bounds.WAITING).orTimeout(5, TimeUnit.SECONDS).join())
                .isInstanceOf(Waits.class);
        assertThat(waiting.subList(0, Bounds.WAITING)).noneMatch(CompletableFuture::isDone);
        assertThat(waiting.get(0).join()).isInstanceOf(Leads.class);
    }

    @Test
    void whereSinksAreGuardedTheyAreRaisedAndNoAnswerIsWorthMoreThanTheStopBudget() throws Exception {
        Sink sink = new MemorySink(
                new dev.incumbent.fence.memory.MemoryStore(new SinkId("s")), time, Duration.ofSeconds(1));
        Duration budget = Timing.ofLease(LEASE).stopBudget();
        HostElections host = host(LEASE, sink);
        String id = stand(host, "job", TTL);

        Leads leads = awaitLead(host, "job", id);
        long asked = System.nanoTime();
        beat(host, "job", id, Duration.ofSeconds(6));

        assertThat(Duration.ofNanos(leads.holdsNanos())).isLessThan(budget);
        assertThat(Duration.ofNanos(System.nanoTime() - asked))
                .isLessThan(budget.dividedBy(2).plusSeconds(1));
        assertThat(sink.marks()
                        .toCompletableFuture()
                        .get(10, TimeUnit.SECONDS)
                        .of(new ElectionName("job"))
                        .orElseThrow()
                        .token()
                        .value())
                .isEqualTo(leads.token());
    }

    /** Leaves when the test ends, so that the host's end waits for nobody. */
    private String stand(HostElections host, String election, Duration ttl) {
        String id = ((Stands) campaign(host, election, ttl)).id();
        leaving.add(() -> leave(host, election, id));
        return id;
    }

    private static Reply campaign(HostElections host, String election, Duration ttl) {
        return asked(reply -> host.campaign(new ElectionName(election), new Stander("test", ttl), reply))
                .join();
    }

    private static Reply beat(HostElections host, String election, String id, Duration patience) {
        return asked(reply -> host.heartbeat(new ElectionName(election), heartbeat(id, patience), reply))
                .join();
    }

    private static Heartbeat heartbeat(String id, Duration patience) {
        return new Heartbeat(id, OptionalLong.empty(), patience);
    }

    private static void leave(HostElections host, String election, String id) {
        asked(reply -> host.leave(new ElectionName(election), id, reply)).join();
    }

    private static Leads awaitLead(HostElections host, String election, String id) {
        Waiting.until(election + " is led", () -> beat(host, election, id, Duration.ZERO) instanceof Leads);
        return (Leads) beat(host, election, id, Duration.ZERO);
    }

    private static CompletableFuture<Reply> asked(Consumer<Consumer<Reply>> question) {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        question.accept(reply::complete);
        return reply.orTimeout(30, TimeUnit.SECONDS);
    }
}
