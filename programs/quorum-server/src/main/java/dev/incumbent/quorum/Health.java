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
    private volatile Optional<Part> part = Optional.empty();
    private volatile Optional<Long> caughtUpAtNanos = Optional.empty();

    /** How a node takes part in the replication. */
    interface Part {
        boolean lives();

        boolean knowsALeader();

        /** A linearizable question: the node has applied all that was committed when it was asked, if the answer begins with {@link Words#AT}. */
        CompletableFuture<String> ask();

        static Part of(Replica replica) {
            return new Part() {
                @Override
                public boolean lives() {
                    return replica.division().filter(DivisionInfo::isAlive).isPresent();
                }

                @Override
                public boolean knowsALeader() {
                    return replica.leader().isPresent();
                }

                @Override
                public CompletableFuture<String> ask() {
                    return replica.read(Words.AT);
                }
            };
        }
    }

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

    /** The node takes part like this: from now on it finds out, again and again, whether it has caught up. */
    void follow(Part begun) {
        part = Optional.of(begun);
        probe(begun);
    }

    private void probe(Part begun) {
        if (isHalted.getAsBoolean()) {
            return;
        }
        long askedAt = timeline.nanos();
        var unused = begun.ask()
                .completeOnTimeout(Line.of(Words.LATER, ""), PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .thenAccept(answer -> {
                    if (Line.fields(answer).get(0).equals(Words.AT)) {
                        caughtUpAtNanos = Optional.of(askedAt);
                    }
                    timeline.at(timeline.nanos() + PAUSE.toNanos(), () -> probe(begun));
                });
    }

    /** Nothing that it cannot recover from has stopped it; one that still waits for the others lives. */
    boolean isLive() {
        return !isHalted.getAsBoolean() && part.map(Part::lives).orElse(true);
    }

    /** It knows who leads, and has recently applied all that was committed. */
    boolean isReady() {
        return isLive()
                && part.filter(Part::knowsALeader).isPresent()
                && caughtUpAtNanos
                        .filter(then -> timeline.nanos() - then < RECENT.toNanos())
                        .isPresent();
    }
}
