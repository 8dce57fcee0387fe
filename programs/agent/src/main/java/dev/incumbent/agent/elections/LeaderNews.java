package dev.incumbent.agent.elections;

import dev.incumbent.ElectionStatus;
import dev.incumbent.LeaderChange;
import dev.incumbent.model.ElectionName;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Tells one follower each change of leader once, from the one on that it has seen last. Where terms may have passed since, they are told from the record's history, which the coordinator is
 * asked for; meanwhile nothing is told, so that the order holds. All is called on the strand.
 */
final class LeaderNews implements Consumer<LeaderChange> {
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final ElectionName election;
    private final Strand strand;
    private final Supplier<CompletionStage<ElectionStatus>> question;
    private final Consumer<News> hears;
    private OptionalLong told;
    /** May terms have passed since what was told last? */
    private boolean isBehind;

    private boolean asks;
    private boolean isOver;
    private Optional<LeaderChange> newest = Optional.empty();
    private Timeline.Alarm retry = () -> {};

    /**
     * Tells nothing yet.
     *
     * @param seen the index of the last change that the follower has seen
     */
    LeaderNews(Watching watching, ElectionName election, OptionalLong seen, Consumer<News> hears) {
        this.election = election;
        this.strand = watching.strand();
        this.question = () -> watching.status(election);
        this.hears = hears;
        this.told = seen;
        this.isBehind = seen.isPresent();
    }

    @Override
    public void accept(LeaderChange change) {
        newest = Optional.of(change);
        if (!asks) {
            decide(change);
        }
    }

    /** Nothing more is told. */
    void end() {
        isOver = true;
        retry.cancel();
    }

    private void decide(LeaderChange change) {
        long index = Watching.index(change);
        if (told.isEmpty() || (!isBehind && index > told.getAsLong())) {
            tell(change);
        } else if (index == told.getAsLong()) {
            isBehind = false;
        } else {
            ask();
        }
    }

    private void ask() {
        asks = true;
        question.get()
                .whenComplete((status, failure) -> strand.execute(() -> {
                    if (!isOver && failure == null) {
                        answered(status);
                    } else if (!isOver) {
                        askLater();
                    }
                }));
    }

    private void askLater() {
        asks = true;
        retry = strand.at(strand.nanos() + RETRY.toNanos(), this::ask);
    }

    /** An index above the present one is of another store, or of one that was restored since: then it is told how things stand. */
    private void answered(ElectionStatus status) {
        asks = false;
        isBehind = false;
        long last = told.orElseThrow();
        LeaderChange present = LeaderChange.to(election, status.observed());
        if (Watching.index(present) < last) {
            tell(present);
        } else {
            seen(last).until(status.observed()).forEach(this::tellIfNew);
            tellIfNew(present);
        }
        if (newest.filter(this::isNew).isPresent()) {
            askLater();
        }
    }

    /** So much of the change of that index as {@link LeaderChange#until} asks for. */
    private LeaderChange seen(long index) {
        return new LeaderChange(election, index / 2, Optional.empty(), Optional.empty(), Instant.EPOCH);
    }

    private boolean isNew(LeaderChange change) {
        long last = told.orElseThrow();
        return Watching.index(change) > last && !Watching.isSameVacancy(change, last);
    }

    private void tellIfNew(LeaderChange change) {
        if (isNew(change)) {
            tell(change);
        }
    }

    private void tell(LeaderChange change) {
        long index = Watching.index(change);
        told = OptionalLong.of(index);
        hears.accept(new News.LeaderChanged(index, change));
    }
}
