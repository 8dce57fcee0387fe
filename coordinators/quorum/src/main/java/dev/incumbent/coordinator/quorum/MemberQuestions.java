package dev.incumbent.coordinator.quorum;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Asks how many members vote. That is asked rarely, so there is a thread only while somebody waits, and one at most: whoever asks while a question is under way shares the next one, which is sent after
 * that. Thread-safe.
 */
final class MemberQuestions implements AutoCloseable {
    /** Callers that wait at once; further ones fail. */
    static final int MOST = 512;

    private final QuorumUri at;
    private final Timeline timeline;
    private final Duration requestTimeout;
    /** Half of that: where no node leads, it passes, and the last answer may take as long again. */
    private final Duration patience;
    /** All that are not answered yet; of them those whose question was not sent yet. Both, and what follows, under this object's lock. */
    private final Set<CompletableFuture<OptionalInt>> open = new HashSet<>();

    private Set<CompletableFuture<OptionalInt>> waiting = new LinkedHashSet<>();
    private boolean isAsking;
    private boolean isClosed;

    MemberQuestions(QuorumUri at, Timeline timeline, Duration requestTimeout) {
        this.at = at;
        this.timeline = timeline;
        this.requestTimeout = requestTimeout;
        this.patience = requestTimeout.dividedBy(2);
    }

    /** As the node that leads tells, or any where none does; there within the time of a request. Where nobody answers it fails with a {@link CoordinatorException}. */
    CompletableFuture<OptionalInt> ask() {
        CompletableFuture<OptionalInt> answer = new CompletableFuture<>();
        synchronized (this) {
            if (isClosed || open.size() >= MOST) {
                fail(answer, isClosed ? "was closed" : "is asked for its members by " + MOST + " callers already");
                return answer;
            }
            open.add(answer);
            waiting.add(answer);
            if (!isAsking) {
                isAsking = true;
                start();
            }
        }
        Timeline.Alarm late =
                timeline.at(timeline.nanos() + requestTimeout.toNanos(), () -> fail(answer, "did not answer in time"));
        CompletableFuture<?> unused = answer.whenComplete((members, failure) -> {
            late.cancel();
            forget(answer);
        });
        return answer;
    }

    private void start() {
        Thread thread =
                new Thread(null, this::askWhileSomebodyWaits, "incumbent-quorum-members", Messenger.STACK_BYTES);
        thread.setDaemon(true);
        thread.start();
    }

    private void askWhileSomebodyWaits() {
        for (Set<CompletableFuture<OptionalInt>> asking = next(); !asking.isEmpty(); asking = next()) {
            answer(asking);
        }
    }

    /** Those who share the next question; empty where nobody waits, and then this thread ends. */
    private synchronized Set<CompletableFuture<OptionalInt>> next() {
        Set<CompletableFuture<OptionalInt>> next = waiting;
        waiting = new LinkedHashSet<>();
        isAsking = !next.isEmpty();
        return next;
    }

    private void answer(Set<CompletableFuture<OptionalInt>> asking) {
        try {
            OptionalInt count = OptionalInt.of(QuorumServers.of(at, timeline)
                    .members(patience)
                    .at("members")
                    .items()
                    .size());
            asking.forEach(one -> one.complete(count));
        } catch (CoordinatorException failure) {
            asking.forEach(one -> one.completeExceptionally(failure));
        } catch (RuntimeException notUnderstood) {
            asking.forEach(one -> fail(one, "tells of its members what is not understood: " + notUnderstood));
        }
    }

    private synchronized void forget(CompletableFuture<OptionalInt> answer) {
        open.removeIf(one -> one == answer);
        waiting.removeIf(one -> one == answer);
    }

    private void fail(CompletableFuture<OptionalInt> answer, String why) {
        answer.completeExceptionally(new CoordinatorException("the coordinator " + at.label() + " " + why, false));
    }

    /** Ends the questions that are open. */
    @Override
    public void close() {
        List<CompletableFuture<OptionalInt>> left;
        synchronized (this) {
            isClosed = true;
            waiting.clear();
            left = List.copyOf(open);
        }
        left.forEach(answer -> fail(answer, "was closed meanwhile"));
    }
}
