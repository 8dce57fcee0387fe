package dev.incumbent.coordinator.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.Candidacy;
import dev.incumbent.ElectionAdmin;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.outcome.RequestedTransfer;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What those see of a group who are no members: three members on real sockets, asked by a coordinator. */
@Tag("realtime")
class PeersCoordinatorTest {
    private static final ElectionName ELECTION = new ElectionName("billing/closer");
    private static final Duration SOON = Duration.ofSeconds(40);

    @TempDir
    Path folder;

    private final List<String> ids =
            FreePorts.some(3).stream().sorted().map(port -> "127.0.0.1:" + port).toList();
    private final List<Candidacy> members = new ArrayList<>();
    private final SystemTimeline timeline = new SystemTimeline();
    private final Coordinator coordinator = opened();

    private Coordinator opened() {
        String uri = "peers+raft://" + String.join(",", ids);
        return CoordinatorProvider.of(uri)
                .open(uri, timeline, Duration.ofSeconds(5), CoordinatorProvider.Mode.READ_ONLY);
    }

    @BeforeEach
    void startAll() {
        for (String id : ids) {
            String uri = "peers+raft://" + String.join(",", ids) + "?me=" + id + "&data="
                    + folder.resolve(id.replace(':', '-'));
            PeerElections.found(uri, ELECTION.value());
            members.add(PeerElections.connect(uri)
                    .quiet()
                    .open()
                    .election(ELECTION.value())
                    .campaign());
        }
    }

    @AfterEach
    void closeAll() {
        members.forEach(Candidacy::close);
        coordinator.close();
        timeline.close();
    }

    private ObservedRecord record() {
        Map<ElectionName, Reading> readings =
                coordinator.read(Set.of(ELECTION)).toCompletableFuture().join();
        return readings.get(ELECTION) instanceof Reading.Found found ? found.record() : ObservedRecord.ABSENT;
    }

    private void awaitLeader() {
        assertThat(Waiting.within(SOON, () -> !record().isVacant()))
                .as("somebody leads")
                .isTrue();
    }

    @Test
    void whoLeadsIsReadFromTheMembers() {
        awaitLeader();

        ObservedRecord seen = record();
        Candidacy leader = members.stream()
                .filter(one -> one.leadership().isPresent())
                .findFirst()
                .orElseThrow();
        assertThat(seen.record().term())
                .isEqualTo(leader.leadership().orElseThrow().term().number());
        assertThat(seen.record().leader())
                .contains(leader.leadership().orElseThrow().term().leader());
        assertThat(seen.leaseRemaining().orElseThrow()).isLessThanOrEqualTo(Duration.ofSeconds(1));
        assertThat(coordinator.elections("").toCompletableFuture().join()).containsExactly(ELECTION);
        assertThat(coordinator.elections("other").toCompletableFuture().join()).isEmpty();
        assertThat(coordinator
                        .candidates(Set.of(ELECTION))
                        .toCompletableFuture()
                        .join()
                        .get(ELECTION))
                .extracting(one -> one.candidate().name())
                .containsExactlyElementsOf(ids);
    }

    @Test
    void anOperatorsTransferReachesTheLeader() {
        awaitLeader();
        List<Long> told = new CopyOnWriteArrayList<>();
        Watch watch = coordinator.watch(ELECTION, new Watcher() {
            @Override
            public void changed(ObservedRecord record) {
                told.add(record.record().term());
            }

            @Override
            public void gap() {}

            @Override
            public void currentAsOf(long sentAtNanos) {}
        });
        long term = record().record().term();
        String next = ids.stream()
                .filter(id -> !record().record().leader().orElseThrow().name().equals(id))
                .findFirst()
                .orElseThrow();

        RequestedTransfer ended = ElectionAdmin.over(coordinator, timeline, ELECTION, "op@here")
                .transferTo(next, SOON)
                .toCompletableFuture()
                .join();

        assertThat(ended).isInstanceOf(RequestedTransfer.Transferred.class);
        assertThat(record().record().leader().orElseThrow().name()).isEqualTo(next);
        assertThat(record().record().term()).isGreaterThan(term);
        assertThat(Waiting.within(SOON, () -> told.contains(record().record().term())))
                .as("told " + told)
                .isTrue();
        watch.close();
    }

    @Test
    void whatNeedsARecordIsRefusedInASentenceThatNamesTheQuorum() {
        awaitLeader();
        ObservedRecord seen = record();

        assertThatThrownBy(() -> coordinator
                        .swap(
                                ELECTION,
                                seen.revision(),
                                seen.record().vacated(99, seen.record().since()))
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("peers keep no record")
                .hasMessageContaining("quorum://");
        assertThatThrownBy(() -> coordinator
                        .grant(new CandidateId("x@y-1-2"), Duration.ofSeconds(5))
                        .toCompletableFuture()
                        .join())
                .hasCauseInstanceOf(CoordinatorUnusableException.class);
    }

    @Test
    void whereNoMemberAnswersTheReadFailsAndSaysWhom() {
        members.forEach(Candidacy::close);

        assertThatThrownBy(this::record)
                .hasCauseInstanceOf(CoordinatorException.class)
                .hasMessageContaining("no member of peers+raft://" + String.join(",", ids) + " answers")
                .hasMessageContaining(ids.get(0) + ": Connection refused");
    }
}
