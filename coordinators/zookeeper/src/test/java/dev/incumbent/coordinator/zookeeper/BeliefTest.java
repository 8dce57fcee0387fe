package dev.incumbent.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Timing;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.ZooKeeperServer;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a holder believes ends before the ensemble ends its lease, whenever the member that serves it is lost. The ensemble's leader asks each member every half tick whom
 * it heard; so twenty leases of five ticks and twenty of ten are kept alive at random moments of one tick, and among that holder and member are cut off from the others at once.
 *
 * <p>The default tick of 2 s: {@code mvn -pl coordinators/zookeeper -am test -Dtest=BeliefTest -Dsurefire.failIfNoSpecifiedTests=false -Dzookeeper.tick=2000}.
 */
@Tag("realtime")
final class BeliefTest {
    private static final Duration TICK =
            Duration.ofMillis(Integer.getInteger("zookeeper.tick", (int) Servers.TICK.toMillis()));
    private static final Duration LONGER = TICK.multipliedBy(10);
    private static final int LEASES_OF_A_LENGTH = 20;
    private static final int MOST_ROUNDS = 5;
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);
    private static final long SEED = 610;

    private final SystemTimeline timeline = new SystemTimeline();
    private final Random random = new Random(SEED);
    private final List<ZooKeeperServer> members = ZooKeeperServer.ensemble(3, TICK);
    private final ZooKeeperServer leader = member(true, 0);
    private final ZooKeeperServer follower = member(false, 0);
    private final ZooKeeperServer bystander = member(false, 1);
    private final TcpProxy wire = TcpProxy.to(follower.port());
    private final Coordinator holder = open();
    private final List<Belief> beliefs = new ArrayList<>();

    /** A lease, and what its holder and the ensemble made of it. */
    private static final class Belief {
        private final GrantedLease lease;
        private final AtomicLong keptAliveAtNanos;
        private volatile boolean isLost;
        private long goneAtNanos = Long.MAX_VALUE;

        Belief(GrantedLease lease, long grantedAtNanos) {
            this.lease = lease;
            this.keptAliveAtNanos = new AtomicLong(grantedAtNanos);
        }

        Duration lasts() {
            return Timing.ofLease(lease.timeToLive()).validFor();
        }

        /** Whoever was told that the lease is lost, on a crowded machine, believes in it no longer. */
        boolean outlivesTheLease() {
            return !isLost && keptAliveAtNanos.get() + lasts().toNanos() >= goneAtNanos;
        }

        @Override
        public String toString() {
            return "of " + lease.timeToLive().toMillis() + " ms, gone "
                    + (goneAtNanos - keptAliveAtNanos.get()) / 1_000_000
                    + " ms after the last keep-alive was sent, believed in for "
                    + lasts().toMillis();
        }
    }

    @AfterEach
    void close() {
        holder.close();
        wire.close();
        timeline.close();
        members.forEach(ZooKeeperServer::close);
    }

    @Test
    void whoIsCutOffTogetherWithItsMemberBelievesNoLongerThanItsLeaseLives() {
        grantAll();

        strikeAmongKeepAlives();

        awaitTheEndOfAll();
        assertThat(beliefs).noneMatch(Belief::outlivesTheLease);
    }

    @Test
    void threeServersVote() {
        assertThat(Asking.get(holder.memberCount())).hasValue(3);
    }

    /** The leader asks nobody meanwhile, and its member answers nothing. */
    @Test
    void afterAPauseOfTwoTicksOfLeaderAndMemberTheHolderBelievesNoLongerEither() {
        grantAll();

        keepAllAliveWithin(Duration.ZERO).forEach(Asking::answers);
        leader.process().freeze();
        follower.process().freeze();
        pass(TICK.multipliedBy(2));
        follower.process().thaw();
        leader.process().thaw();
        strikeAmongKeepAlives();

        awaitTheEndOfAll();
        assertThat(beliefs).noneMatch(Belief::outlivesTheLease);
    }

    /** Their last keep-alives come a third of the longer length after this, as a candidate's do. */
    private void grantAll() {
        List<CompletableFuture<GrantedLease>> grants = new ArrayList<>();
        long sentAt = timeline.nanos();
        for (Duration length : List.of(TICK.multipliedBy(5), LONGER)) {
            for (int i = 0; i < LEASES_OF_A_LENGTH; i++) {
                grants.add(holder.grant(new CandidateId("ada"), length).toCompletableFuture());
            }
        }
        grants.stream().filter(Asking::answers).forEach(one -> beliefs.add(new Belief(one.join(), sentAt)));
        keepAllAliveWithin(Duration.ZERO).forEach(Asking::answers);
        pass(LONGER.dividedBy(3).minus(TICK));
    }

    /** After a tick of keep-alives nothing of holder and member reaches anybody any more; a shell that waits for it stops the member at once. */
    private void strikeAmongKeepAlives() {
        long begin = timeline.nanos();
        try {
            Process stop = new ProcessBuilder(
                            "sh",
                            "-c",
                            "read now; kill -s STOP " + follower.process().pid())
                    .start();
            for (int round = 0; round < MOST_ROUNDS && keptAliveSince(begin) <= LEASES_OF_A_LENGTH / 4; round++) {
                keepAllAliveWithin(TICK).forEach(Asking::answers);
            }
            stop.getOutputStream().write('\n');
            stop.getOutputStream().close();
            wire.cut(TcpProxy.Fault.SILENT);
            assertThat(stop.waitFor()).isZero();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
        assertThat(keptAliveSince(begin)).as("answered before the strike").isGreaterThan(LEASES_OF_A_LENGTH / 4);
    }

    private long keptAliveSince(long nanos) {
        return beliefs.stream()
                .filter(one -> one.keptAliveAtNanos.get() > nanos)
                .count();
    }

    /** Each at a random moment of that time, most of them late in it. */
    private List<CompletableFuture<Void>> keepAllAliveWithin(Duration time) {
        long begin = timeline.nanos();
        List<Long> moments = beliefs.stream()
                .map(one -> begin + (long) ((1 - Math.pow(random.nextDouble(), 2)) * time.toNanos()))
                .sorted()
                .toList();
        List<Belief> order = new ArrayList<>(beliefs);
        Collections.shuffle(order, random);
        List<CompletableFuture<Void>> answers = new ArrayList<>();
        for (int i = 0; i < order.size(); i++) {
            parkUntil(moments.get(i));
            answers.add(keepAlive(order.get(i)));
        }
        return answers;
    }

    private CompletableFuture<Void> keepAlive(Belief belief) {
        long sentAt = timeline.nanos();
        return holder.keepAlive(belief.lease.id())
                .whenComplete((kept, failure) -> {
                    if (failure == null) {
                        belief.keptAliveAtNanos.set(sentAt);
                    } else if (failure.getCause() instanceof LeaseLostException) {
                        belief.isLost = true;
                    }
                })
                .toCompletableFuture();
    }

    private void awaitTheEndOfAll() {
        boolean allGone = Plain.at(bystander.hostPort(), plain -> {
            long end = timeline.nanos() + PATIENCE.toNanos();
            while (beliefs.stream().anyMatch(one -> one.goneAtNanos == Long.MAX_VALUE) && timeline.nanos() < end) {
                look(plain);
                LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
            }
            return timeline.nanos() < end;
        });
        assertThat(allGone).as("every lease ends").isTrue();
    }

    private void look(ZooKeeper plain) throws Exception {
        Set<String> alive = new HashSet<>(plain.getChildren("/belief/l", false));
        long now = timeline.nanos();
        for (Belief belief : beliefs) {
            boolean isNew = belief.goneAtNanos == Long.MAX_VALUE;
            if (isNew && !alive.contains(Nodes.escaped(belief.lease.id().value()))) {
                belief.goneAtNanos = now;
            }
        }
    }

    private ZooKeeperServer member(boolean leads, int index) {
        return members.stream().filter(one -> one.leads() == leads).toList().get(index);
    }

    private Coordinator open() {
        String uri = "zk://127.0.0.1:" + wire.port() + "/belief";
        Coordinator opened = new ZooKeeperCoordinatorProvider().open(uri, timeline, REQUEST_TIMEOUT, Mode.CREATE);
        Asking.within(PATIENCE, "a connection", () -> Asking.answers(opened.elections("")));
        return opened;
    }

    private void pass(Duration time) {
        parkUntil(timeline.nanos() + time.toNanos());
    }

    private void parkUntil(long nanos) {
        for (long left = nanos - timeline.nanos(); left > 0; left = nanos - timeline.nanos()) {
            LockSupport.parkNanos(left);
        }
    }
}
