package dev.incumbent.cli.demo;

import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What the audience knows so far: all that the actors told, in the order of hearing. One thread alone watches. */
final class Stage {
    private final Cast cast;
    private final Narration narration;
    private final Timeline timeline;
    private final Duration patience;
    private final Map<Actor, Told> standing = new HashMap<>();
    private final Map<Actor, Told> checked = new HashMap<>();
    private final Map<Long, Told> begun = new HashMap<>();
    private final Map<Long, Told> ended = new HashMap<>();
    private final Map<Long, Integer> writes = new HashMap<>();
    private final Set<String> answered = new HashSet<>();
    private final List<String> refused = new ArrayList<>();
    private long latest;

    Stage(Cast cast, Narration narration, Timeline timeline, Duration patience) {
        this.cast = cast;
        this.narration = narration;
        this.timeline = timeline;
        this.patience = patience;
    }

    /** Watches until something has been told; gives up after the patience, naming what was waited for. */
    <T> T await(String what, Supplier<Optional<T>> seen) {
        long deadline = timeline.nanos() + patience.toNanos();
        Optional<T> result = seen.get();
        while (result.isEmpty()) {
            hear(next(what, deadline));
            result = seen.get();
        }
        return result.get();
    }

    Duration patience() {
        return patience;
    }

    Told awaitStanding(Actor actor) {
        return await(actor.name() + " stands", () -> Optional.ofNullable(standing.get(actor)));
    }

    /** The leader of a later term than that one. */
    Told awaitLeaderAfter(long term) {
        return await(
                "somebody leads a term after " + term,
                () -> latest > term ? Optional.ofNullable(begun.get(latest)) : Optional.empty());
    }

    Told awaitEnd(long term) {
        return await("term " + term + " has ended", () -> Optional.ofNullable(ended.get(term)));
    }

    Told awaitCheck(Actor actor) {
        return await(actor.name() + " has checked", () -> Optional.ofNullable(checked.get(actor)));
    }

    /** The leader of a later term than that one, once it has written so many lines; on a busy machine one that led before it may have lost its term meanwhile. */
    Told awaitWritingAfter(long term, int number) {
        return await(
                "somebody has written " + number + " lines in a term after " + term,
                () -> latest > term && writes(latest) >= number
                        ? Optional.ofNullable(begun.get(latest))
                        : Optional.empty());
    }

    /** The ledger or its fence has answered that attempt. */
    void awaitAnswer(String attempt) {
        await("attempt " + attempt + " is answered", () -> Optional.of(attempt).filter(answered::contains));
    }

    int writes(long term) {
        return writes.getOrDefault(term, 0);
    }

    /** The attempts that workers say were refused. */
    List<String> refused() {
        return refused;
    }

    private Told next(String what, long deadline) {
        try {
            Told one = cast.told().poll(deadline - timeline.nanos(), TimeUnit.NANOSECONDS);
            if (one == null) {
                throw Refusal.notSo("the demo waited " + Narration.length(patience) + " in vain until " + what);
            }
            return one;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Refusal.notSo("interrupted");
        }
    }

    private void hear(Told told) {
        switch (told.kind()) {
            case STANDS -> stands(told);
            case LEADS -> leads(told);
            case CHECKED -> checked.put(told.by(), told);
            case WROTE -> wrote(told);
            case REFUSED -> refused(told);
            case ENDED -> ended.put(told.token(), told);
            case GONE -> gone(told.by());
        }
    }

    private void stands(Told told) {
        standing.put(told.by(), told);
        narration.tell(told.by().name() + " stands (pid " + told.by().pid() + ")");
    }

    private void leads(Told told) {
        begun.put(told.token(), told);
        latest = Math.max(latest, told.token());
        narration.tell(told.by().name() + " leads, token " + told.token());
    }

    private void wrote(Told told) {
        writes.merge(told.token(), 1, Integer::sum);
        answered.add(told.attempt());
        if (told.token() < latest) {
            narration.tell(
                    "ACCEPTED, out of order: a late write of " + told.by().name() + " with token " + told.token());
        }
    }

    private void refused(Told told) {
        answered.add(told.attempt());
        refused.add(told.attempt());
        narration.tell("REFUSED by the fence: a late write of " + told.by().name() + " with token " + told.token());
        narration.add(told.detail().substring(told.attempt().length()).strip());
    }

    private void gone(Actor actor) {
        if (!cast.isKilled(actor)) {
            throw Refusal.notSo(actor.name() + " (pid " + actor.pid() + ") ended by itself");
        }
    }
}
