package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.quorum.Route.Answer;
import dev.incumbent.quorum.Route.Asked;
import dev.incumbent.quorum.Route.Kind;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.ratis.server.DivisionInfo;

/**
 * Whether a node lives and whether it may be asked, told to whoever reaches its port: one fixed word, and nothing of the quorum. Whoever asks causes no work: the node asks itself, all the time. Thread-safe.
 */
final class Health {
    static final String LIVE = "/health/live";
    static final String READY = "/health/ready";
    /** How long ago a node may have caught up with its leader, and still is ready. */
    static final Duration RECENT = Duration.ofSeconds(3);

    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Timeline timeline;
    private final BooleanSupplier isHalted;
    private volatile Optional<Replica> replica = Optional.empty();
    private volatile Optional<Long> caughtUpAtNanos = Optional.empty();

    /** Of a node that does not take part yet. */
    Health(Timeline timeline, BooleanSupplier isHalted) {
        this.timeline = timeline;
        this.isHalted = isHalted;
    }

    /** What is answered without any right. */
    Route route() {
        return new Route("/health", Right.NONE, 0, Kind.AT_ONCE, this::answer);
    }

    private CompletableFuture<Answer> answer(Asked asked) {
        return switch (asked.rest()) {
            case "/live" -> isLive() ? Answer.now(200, "live\n") : Answer.now(503, "dead\n");
            case "/ready" -> isReady() ? Answer.now(200, "ready\n") : Answer.now(503, "unready\n");
            default -> Answer.now(404, "unknown\n");
        };
    }

    /** The node takes part by this replica: from now on it finds out, again and again, whether it has caught up. */
    void follow(Replica started) {
        replica = Optional.of(started);
        probe(started);
    }

    /** A linearizable question is answered once this node has applied all that its leader had committed when it was asked. */
    private void probe(Replica started) {
        if (isHalted.getAsBoolean()) {
            return;
        }
        long askedAt = timeline.nanos();
        var unused = started.read(Words.AT)
                .completeOnTimeout(Line.of(Words.LATER, ""), PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .thenAccept(answer -> {
                    if (Line.fields(answer).get(0).equals(Words.AT)) {
                        caughtUpAtNanos = Optional.of(askedAt);
                    }
                    timeline.at(timeline.nanos() + PAUSE.toNanos(), () -> probe(started));
                });
    }

    /** Nothing that it cannot recover from has stopped it; one that still waits for the others lives. */
    boolean isLive() {
        return !isHalted.getAsBoolean()
                && replica.map(started -> started.halt().isEmpty()
                                && started.division()
                                        .filter(DivisionInfo::isAlive)
                                        .isPresent())
                        .orElse(true);
    }

    /** It knows who leads, and has recently applied all that was committed. */
    boolean isReady() {
        return isLive()
                && replica.flatMap(Replica::leader).isPresent()
                && caughtUpAtNanos
                        .filter(then -> timeline.nanos() - then < RECENT.toNanos())
                        .isPresent();
    }
}
