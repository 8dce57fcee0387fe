package dev.incumbent.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.ZooKeeperServer;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three members. */
@Tag("realtime")
final class EnsembleTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ROUNDS = 40;
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);

    private final SystemTimeline timeline = new SystemTimeline();
    private final List<Coordinator> opened = new ArrayList<>();
    private final List<ZooKeeperServer> members = ZooKeeperServer.ensemble(3, Servers.TICK);

    @AfterEach
    void close() {
        opened.forEach(Coordinator::close);
        timeline.close();
        members.forEach(ZooKeeperServer::close);
    }

    @Test
    void theLossOfTheLeadingMemberLosesNoRecordAndNoLeaseThatIsLongEnough() {
        Coordinator client = open(members);
        GrantedLease lease = Asking.granted(client, Duration.ofSeconds(9));
        Revision claimed = Asking.swapped(client, Revision.ABSENT, Asking.claim(1, lease.id()));

        leader().process().kill();

        Asking.within(PATIENCE, "a keep-alive", () -> Asking.answers(client.keepAlive(lease.id())));
        Asking.within(PATIENCE, "a read", () -> Asking.answers(client.elections("")));
        assertThat(Asking.found(client).revision()).isEqualTo(claimed);
        assertThat(Asking.found(client).leaseAlive()).isTrue();
    }

    /** The trap of {@code sync} and a read: an old leader that wakes answers both from what it knew. */
    @Test
    void aLeadingMemberThatWasFrozenAnswersNothingOldWhenItWakes() {
        ZooKeeperServer old = leader();
        Coordinator atTheOld = open(List.of(old));
        Coordinator others = open(members.stream().filter(one -> one != old).toList());
        GrantedLease lease = Asking.granted(others, Duration.ofSeconds(9));
        Revision before = Asking.swapped(others, Revision.ABSENT, Asking.claim(1, lease.id()));
        assertThat(Asking.found(atTheOld).revision()).isEqualTo(before);

        old.process().freeze();
        Asking.within(PATIENCE, "another leader", () -> members.stream().anyMatch(one -> one != old && one.leads()));
        Asking.within(PATIENCE, "a read", () -> Asking.answers(others.elections("")));
        Revision after = Asking.swapped(others, before, Asking.claim(2, lease.id()));
        old.process().thaw();

        Set<Revision> told = new java.util.HashSet<>();
        Asking.within(PATIENCE, "an answer of the woken member", () -> {
            told.addAll(revisions(atTheOld));
            return told.contains(after);
        });
        assertThat(told).containsExactly(after);
    }

    /** A member that was frozen for a moment is still one, and would answer from before what it is only about to hear. */
    @Test
    void aMemberThatLagsAnswersNothingOlderThanWhatWasAcknowledged() {
        ZooKeeperServer lagging =
                members.stream().filter(one -> !one.leads()).findFirst().orElseThrow();
        Coordinator there = open(List.of(lagging));
        Coordinator others = open(members.stream().filter(one -> one != lagging).toList());
        GrantedLease lease = Asking.granted(others, Duration.ofSeconds(9));
        Revision current = Asking.swapped(others, Revision.ABSENT, Asking.claim(1, lease.id()));

        for (int round = 2; round <= ROUNDS; round++) {
            lagging.process().freeze();
            current = Asking.swapped(others, current, Asking.claim(round, lease.id()));
            CompletionStage<Set<Revision>> answer = revisionsLater(there);
            lagging.process().thaw();

            assertThat(Asking.get(answer)).isSubsetOf(current);
            Asking.within(PATIENCE, "a read", () -> Asking.answers(there.elections("")));
        }
    }

    private static Set<Revision> revisions(Coordinator client) {
        return Asking.get(revisionsLater(client));
    }

    private static CompletionStage<Set<Revision>> revisionsLater(Coordinator client) {
        return client.read(Set.of(Asking.ELECTION))
                .handle((readings, failure) -> failure != null
                        ? Set.<Revision>of()
                        : readings.values().stream()
                                .filter(Reading.Found.class::isInstance)
                                .map(it -> ((Reading.Found) it).record().revision())
                                .collect(Collectors.toSet()));
    }

    private ZooKeeperServer leader() {
        return members.stream().filter(ZooKeeperServer::leads).findFirst().orElseThrow();
    }

    private Coordinator open(List<ZooKeeperServer> at) {
        String hosts = at.stream().map(ZooKeeperServer::hostPort).collect(Collectors.joining(","));
        String uri = "zk://" + hosts + "/ensemble";
        Coordinator client = new ZooKeeperCoordinatorProvider().open(uri, timeline, REQUEST_TIMEOUT, Mode.CREATE);
        opened.add(client);
        Asking.within(PATIENCE, "a connection", () -> Asking.answers(client.elections("")));
        return client;
    }
}
