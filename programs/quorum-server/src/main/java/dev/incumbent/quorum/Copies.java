package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.quorum.Route.Answer;
import dev.incumbent.quorum.Route.Asked;
import dev.incumbent.time.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Gives operators copies of the table, in pieces: {@code POST /v1/snapshot} makes one of all that was acknowledged before it was asked, and tells its id and how many pieces it has, and
 * {@code POST /v1/snapshot/ID/N} tells the N-th. One at a time is held in memory, until nobody has asked for a piece of it for a while. Thread-safe.
 */
final class Copies {
    static final String PATH = "/v1/snapshot";
    private static final int PIECE = 1 << 20;
    private static final long FORGOTTEN_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final Function<String, CompletableFuture<String>> reads;
    private final Timeline timeline;
    private final Source source;
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<Held> held = Optional.empty();

    /** Makes a copy as of now. */
    @FunctionalInterface
    interface Source {
        Snapshot copy();
    }

    /**
     * A copy's lines, of which each piece has some; its text is put together when it is asked for.
     *
     * @param ends the place behind the last line of each piece
     */
    private record Held(String id, List<String> lines, List<Integer> ends, long askedAtNanos) {
        Held asked(long nowNanos) {
            return new Held(id, lines, ends, nowNanos);
        }

        String piece(int place) {
            return Line.body(lines.subList(place == 0 ? 0 : ends.get(place - 1), ends.get(place)));
        }
    }

    /** By linearizable questions, of what comes from there. */
    Copies(Function<String, CompletableFuture<String>> reads, Source source, Timeline timeline) {
        this.reads = reads;
        this.source = source;
        this.timeline = timeline;
    }

    CompletableFuture<Answer> answer(Asked asked) {
        if (!asked.method().equals("POST")) {
            return Answer.now(404, "POST " + PATH + " makes a copy of the table\n");
        }
        return asked.rest().isEmpty() ? begun() : CompletableFuture.completedFuture(piece(asked.rest()));
    }

    private CompletableFuture<Answer> begun() {
        if (held().isPresent()) {
            return Answer.now(503, "this node is saving a snapshot already\n");
        }
        return reads.apply(Words.AT)
                .thenApplyAsync(at ->
                        Line.fields(at).get(0).equals(Words.AT) ? hold(source.copy()) : new Answer(503, at + "\n"));
    }

    private Answer hold(Snapshot copy) {
        List<String> lines = copy.lines();
        Held next = new Held(UUID.randomUUID().toString(), lines, ends(lines), timeline.nanos());
        lock.lock();
        try {
            held = Optional.of(next);
        } finally {
            lock.unlock();
        }
        return new Answer(
                200, Line.of("SNAPSHOT", next.id(), Integer.toString(next.ends().size())) + "\n");
    }

    private static List<Integer> ends(List<String> lines) {
        List<Integer> ends = new ArrayList<>();
        int length = 0;
        for (int i = 0; i < lines.size(); i++) {
            length += lines.get(i).length() + 1;
            if (length >= PIECE || i == lines.size() - 1) {
                ends.add(i + 1);
                length = 0;
            }
        }
        return ends;
    }

    private Answer piece(String rest) {
        String[] words = rest.substring(1).split("/", -1);
        int place = words.length == 2 && words[1].matches("\\d{1,6}") ? Integer.parseInt(words[1]) : Integer.MAX_VALUE;
        return taken(words[0], place)
                .map(piece -> new Answer(200, piece))
                .orElse(new Answer(404, "this node holds no such piece of a snapshot\n"));
    }

    /** The last piece is the end of it. */
    private Optional<String> taken(String id, int place) {
        lock.lock();
        try {
            Optional<Held> asked = held().filter(
                            copy -> copy.id().equals(id) && place < copy.ends().size());
            if (asked.isPresent()) {
                boolean isLast = place == asked.get().ends().size() - 1;
                held = isLast ? Optional.empty() : Optional.of(asked.get().asked(timeline.nanos()));
            }
            return asked.map(copy -> copy.piece(place));
        } finally {
            lock.unlock();
        }
    }

    private Optional<Held> held() {
        long now = timeline.nanos();
        lock.lock();
        try {
            held = held.filter(copy -> now - copy.askedAtNanos() < FORGOTTEN_NANOS);
            return held;
        } finally {
            lock.unlock();
        }
    }
}
