package dev.incumbent.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Timing;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.ZooKeeperServer;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A member whose {@code maxSessionTimeout} is less than a lease that was granted: it was restarted with less, or it is one of three. The ensemble counts a session by
 * what the member granted that resumed it last, and the holder believes in the length that it was granted.
 */
@Tag("field")
@Tag("realtime")
final class ShorterSessionTest {
    private static final CandidateId ADA = new CandidateId("ada@host-1-x");
    private static final Duration LEASE = Servers.TICK.multipliedBy(16);
    private static final Duration LESS = Servers.TICK.multipliedBy(4);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** Of a busy machine. */
    private static final Duration SLACK = Duration.ofSeconds(3);

    /** Longer than a session of the shorter length lives without pings. */
    private static final Duration STOPS_WITHIN = Duration.ofSeconds(3);

    private static final Duration STOP_BUDGET = Duration.ofMillis(3_200);
    private static final String ELECTION = "billing/closer";
    private static final String ROOT = "/shorter";
    private static final String REFUSED_GRANT = "grants no lease of " + LEASE.toMillis()
            + " ms: its longest session is " + LESS.toMillis() + " ms (maxSessionTimeout)";

    private final SystemTimeline timeline = new SystemTimeline();
    private final List<ZooKeeperServer> servers = new ArrayList<>();
    private final List<TcpProxy> wires = new ArrayList<>();
    private final List<Coordinator> clients = new ArrayList<>();

    @AfterEach
    void close() {
        clients.forEach(Coordinator::close);
        wires.forEach(TcpProxy::close);
        servers.forEach(ZooKeeperServer::close);
        timeline.close();
    }

    @Test
    void aServerThatWasRestartedWithLessNeitherKeepsALeaseNorShortensIt() {
        ZooKeeperServer server = ZooKeeperServer.start(Servers.TICK);
        servers.add(server);
        TcpProxy wire = wireTo(server);
        Coordinator holder = open(wire);
        GrantedLease lease = granted(holder);
        long keptAt = keptAlive(holder, lease);

        server.startAgainWith("maxSessionTimeout=" + LESS.toMillis());

        assertThat(refusal(() -> holder.keepAlive(lease.id()))).hasMessageEndingWith(wouldShorten(wire));
        assertThat(refusal(() -> holder.grant(ADA, LEASE))).hasMessageEndingWith(REFUSED_GRANT);
        cutOff();
        assertThat(lifeAfter(keptAt, lease, server)).isGreaterThan(belief(lease));
    }

    @Test
    void oneMemberOfThreeThatGrantsLessNeitherKeepsALeaseNorShortensIt() {
        Members members = members();
        TcpProxy toUsual = wireTo(members.usual());
        TcpProxy toLesser = wireTo(members.lesser());
        Coordinator holder = open(toUsual, toLesser);
        GrantedLease lease = granted(holder);
        long keptAt = keptAlive(holder, lease);

        members.usual().process().kill();

        CoordinatorException told = refusal(() -> holder.keepAlive(lease.id()));
        assertThat(told).isInstanceOf(CoordinatorUnusableException.class).hasMessageEndingWith(wouldShorten(toLesser));
        cutOff();
        assertThat(lifeAfter(keptAt, lease, members.leader())).isGreaterThan(belief(lease));
    }

    @Test
    void aLeaseThatLosesItsConnectionsGoesOnAtMembersThatGrantItsLength() {
        Members members = members();
        Coordinator holder = open(wireTo(members.lesser()), wireTo(members.usual()), wireTo(members.leader()));
        GrantedLease lease = granted(holder);
        long keptAt = keptAlive(holder, lease);

        for (int round = 0; round < 5; round++) {
            wires.forEach(TcpProxy::reset);
            keptAt = keptAlive(holder, lease);
        }

        cutOff();
        assertThat(lifeAfter(keptAt, lease, members.leader())).isGreaterThan(belief(lease));
    }

    @Test
    void aSessionWhoseConnectionIsLostBetweenKeepAlivesIsNotShortened() {
        Members members = members();
        TcpProxy wire = wireTo(members.usual());
        Coordinator holder = open(wire);
        GrantedLease lease = granted(holder);
        long keptAt = keptAlive(holder, lease);
        int before = wire.accepted();

        wire.leadTo(members.lesser().port());
        Asking.within(PATIENCE, "the connections that follow", () -> wire.accepted() >= before + 2);
        pass(Servers.TICK);
        cutOff();

        assertThat(lifeAfter(keptAt, lease, members.leader())).isGreaterThan(belief(lease));
    }

    /** Behind one address that stands for several members. */
    @Test
    void aLeaseWhoseSessionWasResumedWithLessIsLostAndItsSessionOutlivesTheStopBudgetOfItsHolder() {
        Members members = members();
        TcpProxy wire = wireTo(members.usual());
        Coordinator holder = open(wire);
        GrantedLease lease = granted(holder);

        wire.leadNewOnesTo(members.lesser().port());
        CoordinatorException told = Asking.failure(holder.keepAlive(lease.id()));
        long lostAt = timeline.nanos();

        assertThat(told)
                .isInstanceOf(LeaseLostException.class)
                .hasMessage("lease " + lease.id() + " is dead: its session of " + LEASE.toMillis()
                        + " ms was resumed with " + LESS.toMillis()
                        + " ms, the longest that this member grants (maxSessionTimeout)");
        assertThat(Asking.failure(holder.keepAlive(lease.id()))).isInstanceOf(LeaseLostException.class);
        assertThat(Asking.failure(holder.grant(ADA, LEASE))).hasMessageEndingWith(REFUSED_GRANT);
        assertThat(lifeAfter(lostAt, lease, members.leader()))
                .isBetween(
                        Timing.ofLease(LEASE).stopLead().plus(LESS),
                        LEASE.plus(Servers.TICK.multipliedBy(2)).plus(SLACK));
        assertThat(Asking.failure(holder.keepAlive(lease.id()))).isInstanceOf(LeaseLostException.class);
    }

    /** If the session ended with the answer, or without pings once the shorter length has passed, the successor would begin beside the task. */
    @Test
    void aSuccessorOfAHolderThatLostItsLeaseBeginsOnceTheTaskHasReturned() {
        Members members = members();
        TcpProxy wire = wireTo(members.usual());
        AtomicLong returnedAt = new AtomicLong();
        AtomicLong begunAt = new AtomicLong();
        try (Elections ada = elections(open(wire), "ada");
                Elections bob = elections(open(wireTo(members.leader())), "bob")) {
            Candidacy first = ada.election(ELECTION).campaign(leadership -> {
                untilInterrupted();
                pass(STOPS_WITHIN);
                returnedAt.set(timeline.nanos());
            });
            Asking.within(PATIENCE, "a leader", () -> first.leadership().isPresent());
            Candidacy unused = bob.election(ELECTION).campaign(leadership -> begunAt.set(timeline.nanos()));

            wire.leadNewOnesTo(members.lesser().port());

            Asking.within(PATIENCE, "a successor", () -> begunAt.get() != 0);
            assertThat(returnedAt.get()).isNotZero().isLessThanOrEqualTo(begunAt.get());
        }
    }

    @Test
    void anotherProcessNeitherKeepsNorShortensALeaseAtAMemberThatGrantsLess() {
        Members members = members();
        Coordinator holder = open(wireTo(members.usual()));
        GrantedLease lease = granted(holder);
        long keptAt = keptAlive(holder, lease);
        holder.close();
        TcpProxy wire = wireTo(members.lesser());
        Coordinator other = open(wire);

        assertThat(refusal(() -> other.keepAlive(lease.id()))).hasMessageEndingWith(wouldShorten(wire));

        assertThat(lifeAfter(keptAt, lease, members.leader())).isGreaterThan(belief(lease));
    }

    /** The answer that a member grants the whole length is slow, and meanwhile the way leads to another. */
    @Test
    void anotherProcessThatResumesASessionWithLessIsToldThatTheLeaseIsLost() {
        Members members = members();
        Coordinator holder = open(wireTo(members.usual()));
        GrantedLease lease = granted(holder);
        holder.close();
        TcpProxy wire = wireTo(members.usual());
        Coordinator other = open(wire);
        int before = wire.accepted();

        wire.slowAnswers(Duration.ofMillis(200));
        CompletionStage<Void> kept = other.keepAlive(lease.id());
        Asking.within(PATIENCE, "a question for the longest session", () -> wire.accepted() > before);
        wire.leadNewOnesTo(members.lesser().port());

        assertThat(Asking.failure(kept))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("was resumed with " + LESS.toMillis() + " ms");
    }

    private static Elections elections(Coordinator client, String name) {
        return Elections.over(client)
                .name(name)
                .timing(Timing.ofLease(LEASE, STOP_BUDGET, Duration.ZERO))
                .open();
    }

    private static void untilInterrupted() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException toldToStop) {
            // and it stops, in its own time
        }
    }

    private void pass(Duration time) {
        for (long end = timeline.nanos() + time.toNanos(); timeline.nanos() < end; ) {
            LockSupport.parkNanos(end - timeline.nanos());
            boolean unused = Thread.interrupted();
        }
    }

    /** Three of one ensemble: who leads it, and two that follow. */
    private record Members(ZooKeeperServer leader, ZooKeeperServer usual, ZooKeeperServer lesser) {}

    private Members members() {
        servers.addAll(ZooKeeperServer.ensemble(3, Servers.TICK));
        List<ZooKeeperServer> followers =
                servers.stream().filter(one -> !one.leads()).toList();
        ZooKeeperServer lesser = followers.get(1);
        lesser.startAgainWith("maxSessionTimeout=" + LESS.toMillis());
        ZooKeeperServer leader =
                servers.stream().filter(ZooKeeperServer::leads).findFirst().orElseThrow();
        return new Members(leader, followers.get(0), lesser);
    }

    private TcpProxy wireTo(ZooKeeperServer server) {
        TcpProxy wire = TcpProxy.to(server.port());
        wires.add(wire);
        return wire;
    }

    private Coordinator open(TcpProxy... to) {
        String hosts = Stream.of(to).map(wire -> "127.0.0.1:" + wire.port()).collect(Collectors.joining(","));
        String uri = "zk://" + hosts + ROOT;
        Coordinator client = new ZooKeeperCoordinatorProvider().open(uri, timeline, REQUEST_TIMEOUT, Mode.CREATE);
        clients.add(client);
        Asking.within(PATIENCE, "a connection", () -> Asking.answers(client.elections("")));
        return client;
    }

    private void cutOff() {
        wires.forEach(wire -> wire.cut(TcpProxy.Fault.SILENT));
    }

    /** By a member that grants so much. */
    private static GrantedLease granted(Coordinator holder) {
        List<GrantedLease> leases = new ArrayList<>();
        Asking.within(PATIENCE, "a lease", () -> {
            holder.grant(ADA, LEASE)
                    .handle((granted, failure) -> granted != null && leases.add(granted))
                    .toCompletableFuture()
                    .join();
            return !leases.isEmpty();
        });
        assertThat(leases.get(0).timeToLive()).isEqualTo(LEASE);
        return leases.get(0);
    }

    /** Tells when the keep-alive was sent that was answered; until then none may say that the lease is lost. */
    private long keptAlive(Coordinator holder, GrantedLease lease) {
        AtomicLong sentAt = new AtomicLong();
        Asking.within(PATIENCE, "a keep-alive", () -> {
            sentAt.set(timeline.nanos());
            Optional<Throwable> failure = holder.keepAlive(lease.id())
                    .handle((kept, why) -> Optional.ofNullable(why))
                    .toCompletableFuture()
                    .join();
            assertThat(failure.map(Throwable::getCause).filter(LeaseLostException.class::isInstance))
                    .isEmpty();
            return failure.isEmpty();
        });
        return sentAt.get();
    }

    /** What is told once a server has answered. */
    private static CoordinatorException refusal(Supplier<CompletionStage<?>> call) {
        List<CoordinatorException> told = new ArrayList<>();
        Asking.within(PATIENCE, "an answer", () -> {
            told.add(0, Asking.failure(call.get()));
            String message = String.valueOf(told.get(0).getMessage());
            return !message.contains("could not be reached") && !message.contains("did not answer");
        });
        return told.get(0);
    }

    private static String wouldShorten(TcpProxy wire) {
        return " would shorten a lease of " + LEASE.toMillis() + " ms: the longest session of 127.0.0.1:" + wire.port()
                + " is " + LESS.toMillis() + " ms (maxSessionTimeout)";
    }

    /** For how long after that moment the lease's node is there, as a member tells that nobody cuts off. */
    private Duration lifeAfter(long nanos, GrantedLease lease, ZooKeeperServer at) {
        String node = new Nodes(ROOT).lease(lease.id());
        return Plain.at(at.hostPort(), plain -> {
            Asking.within(PATIENCE, "the end of the lease", () -> isGone(plain, node));
            return Duration.ofNanos(timeline.nanos() - nanos);
        });
    }

    private static boolean isGone(ZooKeeper plain, String node) {
        try {
            return plain.exists(node, false) == null;
        } catch (KeeperException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Duration belief(GrantedLease lease) {
        return Timing.ofLease(lease.timeToLive()).validFor();
    }
}
