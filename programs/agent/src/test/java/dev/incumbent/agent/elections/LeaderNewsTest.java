package dev.incumbent.agent.elections;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.ElectionStatus;
import dev.incumbent.LeaderChange;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each change of leader is told once, in order, whatever is told late or not answered. */
@Timeout(20)
class LeaderNewsTest {
    private static final ElectionName JOB = new ElectionName("job");
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
    private static final Duration LEASE = Duration.ofSeconds(6);

    private final Strand strand = new Strand();
    private final List<Long> told = new CopyOnWriteArrayList<>();
    private final List<CompletableFuture<ElectionStatus>> asked = new CopyOnWriteArrayList<>();

    @AfterEach
    void end() {
        strand.close();
    }

    @Test
    void theFirstChangeTellsHowThingsStandAndNoneIsToldTwice() {
        LeaderNews news = news(OptionalLong.empty());

        hear(news, led(7));
        hear(news, led(7));
        hear(news, vacant(7));
        hear(news, led(8));

        assertThat(told).containsExactly(14L, 15L, 16L);
        assertThat(asked).isEmpty();
    }

    @Test
    void termsThatPassedSinceAreToldFromTheHistory() {
        LeaderNews news = news(OptionalLong.of(10));

        hear(news, led(8));
        assertThat(told).isEmpty();
        answer(0, led(8));
        hear(news, vacant(8));

        assertThat(told).containsExactly(12L, 14L, 16L, 17L);
    }

    @Test
    void whoHasSeenHowThingsStandIsToldOnlyWhatComes() {
        LeaderNews news = news(OptionalLong.of(14));

        hear(news, led(7));
        hear(news, vacant(7));

        assertThat(told).containsExactly(15L);
        assertThat(asked).isEmpty();
    }

    @Test
    void whatIsHeardBeforeTheAnswerIsToldOnce() {
        LeaderNews news = news(OptionalLong.of(10));

        hear(news, led(7));
        hear(news, vacant(7));
        hear(news, led(8));
        assertThat(asked).hasSize(1);
        answer(0, led(8));
        hear(news, vacant(8));

        assertThat(told).containsExactly(12L, 14L, 16L, 17L);
    }

    @Test
    void anAnswerThatIsOlderThanWhatWasHeardIsAskedForAgain() {
        LeaderNews news = news(OptionalLong.of(10));

        hear(news, led(6));
        hear(news, led(8));
        answer(0, led(6));
        assertThat(told).containsExactly(12L);
        Waiting.until("the second question", () -> asked.size() == 2);
        answer(1, led(8));

        assertThat(told).containsExactly(12L, 14L, 16L);
    }

    @Test
    void aQuestionThatIsNotAnsweredIsAskedAgain() {
        LeaderNews news = news(OptionalLong.of(10));

        hear(news, led(7));
        asked.get(0).completeExceptionally(new CoordinatorException("gone", false));
        hear(news, vacant(7));
        assertThat(told).isEmpty();
        Waiting.until("the second question", () -> asked.size() == 2);
        answer(1, vacant(7));

        assertThat(told).containsExactly(12L, 15L);
    }

    @Test
    void itIsAskedAgainAlsoWhereNothingIsHeardMeanwhile() {
        LeaderNews news = news(OptionalLong.of(10));

        hear(news, led(7));
        asked.get(0).completeExceptionally(new CoordinatorException("gone", false));
        Waiting.until("the second question", () -> asked.size() == 2);
        answer(1, led(7));

        assertThat(told).containsExactly(12L, 14L);
    }

    @Test
    void anAnswerThatTellsOnlyWhatWasSeenTellsNothing() {
        LeaderNews news = news(OptionalLong.of(14));

        hear(news, led(8));
        answer(0, led(7));
        assertThat(told).isEmpty();
        Waiting.until("the second question", () -> asked.size() == 2);
        answer(1, led(8));

        assertThat(told).containsExactly(16L);
    }

    @Test
    void whoFollowsNoMoreAsksNothingMore() throws InterruptedException {
        LeaderNews news = news(OptionalLong.of(10));
        CountDownLatch later = new CountDownLatch(1);

        hear(news, led(7));
        asked.get(0).completeExceptionally(new CoordinatorException("gone", false));
        strand.execute(news::end);
        strand.at(strand.nanos() + Duration.ofMillis(1_100).toNanos(), later::countDown);
        later.await();

        assertThat(asked).hasSize(1);
    }

    @Test
    void whoFollowsNoMoreIsToldNothingMore() {
        LeaderNews news = news(OptionalLong.of(10));

        hear(news, led(7));
        strand.execute(news::end);
        answer(0, led(7));

        assertThat(told).isEmpty();
    }

    @Test
    void anIdAboveThePresentOneHidesNothing() {
        LeaderNews news = news(OptionalLong.of(99));

        hear(news, led(3));
        answer(0, led(3));
        hear(news, vacant(3));

        assertThat(told).containsExactly(6L, 7L);
    }

    @Test
    void aStoreThatWasRestoredIsToldAnew() {
        LeaderNews news = news(OptionalLong.empty());

        hear(news, led(9));
        hear(news, led(4));
        answer(0, led(4));

        assertThat(told).containsExactly(18L, 8L);
    }

    @Test
    void aVacancyThatAThawRenumberedIsTheSame() {
        LeaderNews news = news(OptionalLong.of(15));
        ObservedRecord thawed = observed(vacant(7).record().vacated(20, NOON));

        hear(news, thawed);
        answer(0, thawed);
        hear(news, led(21));

        assertThat(told).containsExactly(42L);
    }

    @Test
    void whereNobodyHasLedWhoSawNothingIsToldSo() {
        LeaderNews news = news(OptionalLong.of(0));

        hear(news, ObservedRecord.ABSENT);
        answer(0, ObservedRecord.ABSENT);

        assertThat(told).containsExactly(1L);
    }

    private LeaderNews news(OptionalLong seen) {
        Watching watching = new Watching(
                name -> {
                    throw new AssertionError("nothing is observed here");
                },
                name -> {
                    CompletableFuture<ElectionStatus> answer = new CompletableFuture<>();
                    asked.add(answer);
                    return answer;
                },
                strand,
                Bounds.WAITING);
        return new LeaderNews(watching, JOB, seen, one -> told.add(((News.LeaderChanged) one).index()));
    }

    private void hear(LeaderNews news, ObservedRecord observed) {
        strand.execute(() -> news.accept(LeaderChange.to(JOB, observed)));
        settle();
    }

    private void answer(int question, ObservedRecord observed) {
        asked.get(question).complete(new ElectionStatus(JOB, observed, List.of()));
        settle();
    }

    private void settle() {
        CountDownLatch done = new CountDownLatch(1);
        strand.execute(done::countDown);
        try {
            done.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** That term is led, and the history has those before it. */
    private static ObservedRecord led(long term) {
        LeaderRecord record = LeaderRecord.EMPTY;
        for (long past = 1; past < term; past++) {
            record = record.remembering(past(past));
        }
        return observed(record.claimedBy(term, leader(term), new LeaseId("lease"), LEASE, NOON));
    }

    private static ObservedRecord vacant(long term) {
        return observed(led(term).record().remembering(past(term)).vacated(0, NOON));
    }

    private static PastTerm past(long term) {
        return new PastTerm(term, leader(term), NOON, NOON, EndReason.RESIGNED, LEASE);
    }

    private static Candidate leader(long term) {
        return new Candidate(new CandidateId("c-" + term), "c", "");
    }

    private static ObservedRecord observed(LeaderRecord record) {
        return new ObservedRecord(record, new Revision("r"), true, Optional.empty());
    }
}
