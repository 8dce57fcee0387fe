package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Snapshots of nodes that run, and the quorum that begins with one. */
@Tag("trial")
@ResourceLock(NodesHere.ONE_AT_A_TIME)
final class BackupTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ElectionName FIRST = new ElectionName("first");
    private static final ElectionName SECOND = new ElectionName("second");
    private static final long LIFT = 1_000;

    private final SystemTimeline timeline = new SystemTimeline();

    /** One writer swaps a number into the first record, and once that is acknowledged into the second, without a pause. */
    @Test
    void aCopyHoldsAllThatWasAcknowledgedBeforeAndIsOfOnePosition() throws Exception {
        AtomicLong acknowledged = new AtomicLong();
        AtomicLong begun = new AtomicLong();
        try (NodesHere here = NodesHere.start(NodesHere.Access.OPEN)) {
            Coordinator client = here.open(here.uri(), PATIENCE);
            Thread writer = new Thread(
                    () -> {
                        Map<ElectionName, Revision> last = new java.util.HashMap<>();
                        for (long number = 1; !Thread.currentThread().isInterrupted(); number++) {
                            begun.set(number);
                            for (ElectionName election : List.of(FIRST, SECOND)) {
                                LeaderRecord next = Calling.record(number);
                                Swap swap = Calling.joined(
                                        client.swap(election, last.getOrDefault(election, Revision.ABSENT), next));
                                last.put(election, ((Swap.Accepted) swap).revision());
                            }
                            acknowledged.set(number);
                        }
                    },
                    "writer");
            writer.setUncaughtExceptionHandler((thread, atTheEnd) -> {});
            writer.start();
            long position = 0;
            for (int i = 0; i < 60; i++) {
                long before = acknowledged.get();
                Snapshot copy = fetched(here.uri("n" + (1 + i % 3)));
                long after = begun.get();

                long first = term(copy, FIRST);
                long second = term(copy, SECOND);
                assertThat(first - second)
                        .as("of one position: " + first + " and " + second)
                        .isBetween(0L, 1L);
                assertThat(second).as("acknowledged before").isGreaterThanOrEqualTo(before);
                assertThat(first).as("begun at all").isLessThanOrEqualTo(after);
                assertThat(copy.header().index()).as("never back").isGreaterThanOrEqualTo(position);
                position = copy.header().index();
            }
            assertThat(acknowledged.get()).isGreaterThan(10);
            writer.interrupt();
            writer.join();
        }
    }

    @Test
    void membersThatHaveAppliedTheSameTellTheSameState() {
        try (NodesHere here = NodesHere.start(NodesHere.Access.OPEN)) {
            Coordinator client = here.open(here.uri(), PATIENCE);
            assertThat(Calling.created(client, FIRST)).isInstanceOf(Swap.Accepted.class);

            assertThat(here.members().stream()
                            .map(member -> fetched(here.uri(member.name())).state())
                            .collect(Collectors.toSet()))
                    .hasSize(1);
        }
    }

    @Test
    void onlyAnOperatorSavesAndIsToldInOneSentenceWhyNot() throws IOException {
        Tokens tokens = Tokens.of(List.of(
                new Tokens.Held(Set.of(Role.NODE), () -> List.of("of-the-nodes")),
                new Tokens.Held(Set.of(Role.OPERATOR), () -> List.of("of-operators")),
                new Tokens.Held(Set.of(Role.CANDIDATE), () -> List.of("of-candidates"))));
        try (NodesHere here = NodesHere.start(new NodesHere.Access(tokens, Optional.empty()))) {
            String operator = Files.writeString(here.folder().resolve("operator"), "of-operators")
                    .toString();
            String candidate = Files.writeString(here.folder().resolve("candidate"), "of-candidates")
                    .toString();

            assertThat(fetched(here.uri() + "?token-file=" + operator).header().level())
                    .isBetween(0, 1);
            assertThatThrownBy(() -> fetched(here.uri() + "?token-file=" + candidate))
                    .isInstanceOf(CoordinatorUnusableException.class)
                    .hasMessageContaining("operator token");
        }
    }

    @Test
    void withoutAMajorityNothingIsSaved() {
        try (NodesHere here = NodesHere.start(NodesHere.Access.OPEN)) {
            here.stop("n2");
            here.stop("n3");

            assertThatThrownBy(() -> Saving.fetch(here.uri(), timeline, Duration.ofSeconds(3)))
                    .isInstanceOf(CoordinatorException.class)
                    .hasMessageContaining("no node of")
                    .hasMessageContaining("answers 503");
        }
    }

    @Test
    void aNewQuorumBeginsWithASnapshotAndNeitherClientsNorNodesOfTheLostOneComeIn() throws Exception {
        Freeze freeze = new Freeze("eve", "two ledgers", Instant.EPOCH, 7);
        try (NodesHere lost = NodesHere.start(NodesHere.Access.OPEN)) {
            Coordinator before = lost.open(lost.uri(), PATIENCE);
            LeaderRecord frozen = Calling.record(7).withFreeze(Optional.of(freeze));
            assertThat(Calling.joined(before.swap(FIRST, Revision.ABSENT, frozen)))
                    .isInstanceOf(Swap.Accepted.class);
            Snapshot snapshot = fetched(lost.uri());
            assertThat(Calling.created(before, SECOND)).isInstanceOf(Swap.Accepted.class);
            List.of("n1", "n2", "n3").forEach(lost::stop);

            try (NodesHere found = NodesHere.start(NodesHere.Access.OPEN, here -> restore(here, snapshot))) {
                Coordinator after = found.open(found.uri(), PATIENCE);

                LeaderRecord record = record(after, FIRST);
                assertThat(record.term()).isEqualTo(7 + LIFT);
                assertThat(record.freeze()).contains(freeze);
                assertThat(Calling.found(after, SECOND))
                        .as("later than the snapshot")
                        .isEqualTo(Revision.ABSENT);
                assertThat(Calling.created(after, SECOND)).isInstanceOf(Swap.Accepted.class);
                assertThat(Calling.joined(after.swap(
                                FIRST,
                                new Revision(record.nonce()),
                                record.vacated(0, Instant.EPOCH)
                                        .written(UUID.randomUUID().toString()))))
                        .isInstanceOf(Swap.Accepted.class);
                assertThat(found.said()).anyMatch(said -> said.contains("begins with the snapshot of"));
                Snapshot next = fetched(found.uri("n1"));
                assertThat(next.header().cluster())
                        .isNotEqualTo(snapshot.header().cluster());
                assertThat(next.header().index())
                        .isGreaterThan(snapshot.header().index());

                for (String name : List.of("n1", "n2", "n3")) {
                    found.stop(name);
                    found.startAgain(name);
                }
                assertThat(record(after, FIRST).term()).isEqualTo(7 + LIFT);
                assertRefusesTheLost(lost, found);
            }
        }
    }

    private Snapshot fetched(String uri) {
        try {
            return Saving.fetch(uri, timeline, PATIENCE);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Its folder, at the address of a member of the new one. */
    private static void assertRefusesTheLost(NodesHere lost, NodesHere found) {
        found.stop("n3");
        NodeSettings survivor = NodesHere.settings(found.members(), "n3", NodesHere.Access.OPEN, lost.data("n3"));
        assertThatThrownBy(() -> QuorumNode.start(survivor, said -> {}).close())
                .isInstanceOf(NodeRefusal.class)
                .hasMessageContaining("this disk belongs to the quorum");
        found.startAgain("n3");
    }

    private static void restore(NodesHere here, Snapshot snapshot) {
        for (Member member : here.members()) {
            try {
                Restoring.prepare(here.data(member.name()), member.name(), snapshot, LIFT, Duration.ofMillis(500));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static LeaderRecord record(Coordinator client, ElectionName election) {
        Reading reading = Calling.joined(client.read(Set.of(election))).getOrDefault(election, new Reading.Absent());
        assertThat(reading).isInstanceOf(Reading.Found.class);
        return ((Reading.Found) reading).record().record();
    }

    /** 0 where there is none yet. */
    private static long term(Snapshot copy, ElectionName election) {
        return copy.elections().stream()
                .filter(one -> one.name().equals(election.value()))
                .map(one -> one.record().orElseThrow().term())
                .findFirst()
                .orElse(0L);
    }
}
