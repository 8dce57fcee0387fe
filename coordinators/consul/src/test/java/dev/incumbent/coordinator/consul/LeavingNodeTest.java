package dev.incumbent.coordinator.consul;

import static dev.incumbent.coordinator.consul.Asking.answer;
import static dev.incumbent.coordinator.consul.Asking.found;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Timing;
import dev.incumbent.servers.ConsulServer;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A session belongs to a node of Consul's catalog, and ends with it at once. Its holder cannot hear of that, so nobody leads before the holder's time is over. */
@Tag("field")
@Tag("realtime")
final class LeavingNodeTest {
    private static final Duration SHORTEST = Duration.ofSeconds(2);
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration SLACK = Duration.ofSeconds(5);

    private final SystemTimeline timeline = new SystemTimeline();
    private final ElectionName election = new ElectionName("leaving/" + UUID.randomUUID());

    @AfterEach
    void close() {
        timeline.close();
    }

    @Test
    void nobodyLeadsBesideALeaderWhoseAgentLeavesAtTerm() throws Exception {
        try (ConsulServer server = ConsulServer.start(ConsulServer.Access.OPEN, SHORTEST);
                ConsulServer agent = server.startAgent("adas", SHORTEST)) {
            assertNobodyLeadsBeside(agent, server, Duration.ofSeconds(20), agent.process()::stop);
        }
    }

    @Test
    void nobodyLeadsBesideALeaderWhoseNodeIsForcedToLeave() throws Exception {
        try (ConsulServer server = ConsulServer.start(ConsulServer.Access.OPEN, SHORTEST);
                ConsulServer agent = server.startAgent("adas", SHORTEST)) {
            assertNobodyLeadsBeside(agent, server, Duration.ofSeconds(30), () -> {
                agent.process().kill();
                server.consul("force-leave", agent.node());
            });
        }
    }

    /** Consul's autopilot takes it out of the catalog within some 20 s. */
    @Test
    void nobodyLeadsBesideALeaderWhoseServerIsLost() throws Exception {
        List<ConsulServer> servers = ConsulServer.startSeveral(3, SHORTEST);
        try {
            ConsulServer lost = servers.get(0);
            assertNobodyLeadsBeside(lost, servers.get(1), Duration.ofSeconds(45), lost.process()::kill);
        } finally {
            servers.forEach(ConsulServer::close);
        }
    }

    /** It need not wait for a leader that has heard of the end, and has stopped. */
    @Test
    void aLeaderThatHearsOfTheEndStopsAndIsSucceededAtOnce() throws Exception {
        try (ConsulServer server = ConsulServer.start(ConsulServer.Access.OPEN, SHORTEST)) {
            Duration lease = Duration.ofSeconds(30);

            Duration after = assertNobodyLeadsBeside(
                    server, server, lease, () -> server.consul("kv", "delete", "leaving/l/" + leaseOf(server)));

            assertThat(after).isLessThan(lease.dividedBy(3).plus(SLACK));
        }
    }

    private Duration assertNobodyLeadsBeside(ConsulServer asks, ConsulServer other, Duration lease, Runnable fault)
            throws Exception {
        try (Coordinator first = open(asks);
                Coordinator second = open(other);
                Elections adas = elections(first, "ada", lease);
                Elections bobs = elections(second, "bob", lease);
                Candidacy ada = adas.election(election.value()).campaign()) {
            Waiting.until("a leader", () -> ada.leadership().isPresent());
            Leadership term = ada.leadership().orElseThrow();
            LeaseId session = found(second, election).record().lease().orElseThrow();
            try (Candidacy bob = bobs.election(election.value()).campaign()) {
                Waiting.until("a second candidate", () -> candidates(second) == 2);

                CompletableFuture<Void> done = CompletableFuture.runAsync(fault);
                Waiting.until("the end of the session", () -> !isThere(other, session));
                long ended = timeline.nanos();
                assertThat(term.holds()).as("its holder still believed").isTrue();

                AtomicBoolean isBeside = new AtomicBoolean();
                Waiting.until("a successor", () -> {
                    boolean leads = bob.leadership().isPresent();
                    isBeside.compareAndSet(false, leads && term.holds());
                    return leads;
                });
                assertThat(isBeside).as("two led at once").isFalse();
                Duration after = Duration.ofNanos(timeline.nanos() - ended);
                assertThat(after).isLessThan(lease.plus(SLACK));
                done.join();
                return after;
            }
        }
    }

    private int candidates(Coordinator client) {
        try {
            return answer(client.candidates(Set.of(election))).values().stream()
                    .mapToInt(List::size)
                    .sum();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Of whoever leads. */
    private LeaseId leaseOf(ConsulServer server) {
        try (Coordinator client = open(server)) {
            return found(client, election).record().lease().orElseThrow();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Also where nobody answers, since Consul's servers elect a leader. */
    private static boolean isThere(ConsulServer server, LeaseId session) {
        try {
            return server.consul("kv", "get", "-keys", "leaving/l/").contains(session.value());
        } catch (IllegalStateException unanswered) {
            return true;
        }
    }

    private Coordinator open(ConsulServer at) {
        String uri = "consul://127.0.0.1:" + at.port() + "/leaving?session-ttl-min-ms=" + SHORTEST.toMillis();
        return new ConsulCoordinatorProvider().open(uri, timeline, TIMEOUT, Mode.CREATE);
    }

    private static Elections elections(Coordinator over, String name, Duration lease) {
        Timing timing = new Timing(
                lease,
                lease.dividedBy(3),
                TIMEOUT,
                Duration.ofMillis(200),
                Duration.ZERO,
                Timing.DRIFT_BOUND,
                Timing.MARGIN);
        return Elections.over(over).name(name).timing(timing).open();
    }
}
