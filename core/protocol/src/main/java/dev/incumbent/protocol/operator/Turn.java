package dev.incumbent.protocol.operator;

import dev.incumbent.model.Feature;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Mark;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.outcome.OperatorOutcome;
import dev.incumbent.outcome.Progress;
import dev.incumbent.protocol.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One step being taken: gathers its effects, and what becomes of the talk. Lives for that step alone. */
final class Turn {
    /** From one read to the next while waiting; a watch makes most of them needless. */
    static final Duration REREAD = Duration.ofSeconds(1);
    /** From an unanswered question to the next. */
    static final Duration RETRY = Duration.ofMillis(200);

    private final Moment now;
    private final List<OperatorEffect> effects = new ArrayList<>();
    private final Set<Feature> supported;
    private Talk talk;
    private Optional<OperatorOutcome> outcome = Optional.empty();

    Turn(Talk talk, Set<Feature> supported, Moment now) {
        this.talk = talk;
        this.supported = supported;
        this.now = now;
    }

    Moment now() {
        return now;
    }

    Talk talk() {
        return talk;
    }

    String who() {
        return talk.who();
    }

    List<OperatorEffect> effects() {
        return effects;
    }

    Optional<OperatorOutcome> outcome() {
        return outcome;
    }

    boolean reached(long nanos) {
        return now.nanos() >= nanos;
    }

    long in(Duration wait) {
        return now.nanos() + wait.toNanos();
    }

    void giveUpIn(Duration wait) {
        talk = talk.givingUpAt(in(wait));
    }

    void read() {
        effects.add(new OperatorEffect.ReadRecord(talk.nextQuestion()));
        talk = talk.asking();
    }

    void readCandidates() {
        effects.add(new OperatorEffect.ReadCandidates(talk.nextQuestion()));
        talk = talk.asking();
    }

    /** Swaps what was read for {@code next}, under a fresh nonce; a record that requires what is unknown here is left alone, which ends the operation. */
    void swap(ObservedRecord expected, LeaderRecord next) {
        if (!mayWrite(expected.record())) {
            return;
        }
        effects.add(new OperatorEffect.SwapRecord(expected.revision(), next.written(talk.nextQuestion())));
        talk = talk.asking();
    }

    /** Does this version know all that the record requires? If not, that is the outcome: nothing is written, neither the record nor a mark. */
    boolean mayWrite(LeaderRecord record) {
        Set<Feature> unknown = record.requiresBeyond(supported);
        if (!unknown.isEmpty()) {
            conclude(new OperatorOutcome.Failed(
                    "the record requires features that this version does not know, " + unknown
                            + ": it may read it and not write it; use a version that knows them",
                    talk.touched(),
                    true));
        }
        return unknown.isEmpty();
    }

    void watch() {
        effects.add(new OperatorEffect.WatchRecord());
    }

    void readMark(int sink) {
        effects.add(new OperatorEffect.ReadMark(sink));
    }

    void raise(int sink, Mark mark) {
        effects.add(new OperatorEffect.RaiseMark(sink, mark));
    }

    void tell(Progress progress) {
        effects.add(new OperatorEffect.Tell(progress));
    }

    void conclude(OperatorOutcome how) {
        if (outcome.isEmpty()) {
            outcome = Optional.of(how);
            effects.add(new OperatorEffect.Conclude(how));
        }
    }

    /** Takes what every operation takes alike; true if nothing is left of the event for the operation's own rules. */
    boolean takes(OperatorEvent event) {
        if (event instanceof OperatorEvent.Answer answer) {
            return takesAnswer(answer);
        }
        if (event instanceof OperatorEvent.RecordWatched || event instanceof OperatorEvent.WatchBroken) {
            readSoon();
        } else if (event instanceof OperatorEvent.TimePassed && reached(talk.askAgainAt())) {
            read();
        }
        return event instanceof OperatorEvent.WatchBroken;
    }

    private boolean takesAnswer(OperatorEvent.Answer answer) {
        if (!talk.awaits(answer.question())) {
            return true;
        }
        talk = talk.heard();
        if (answer instanceof OperatorEvent.SwapRefused) {
            read();
        } else if (answer instanceof OperatorEvent.SwapUncertain uncertain) {
            talk = talk.touching();
            unanswered(uncertain.why());
        } else if (answer instanceof OperatorEvent.Unanswered nothing) {
            unanswered(nothing.why());
        } else if (answer instanceof OperatorEvent.Unusable unusable) {
            conclude(new OperatorOutcome.Failed(unusable.why(), talk.touched(), true));
        } else {
            return false;
        }
        return true;
    }

    /** Something may have changed: reads at once, or once the open question is answered. */
    void readSoon() {
        if (talk.open().isPresent()) {
            talk = talk.outdated();
        } else {
            read();
        }
    }

    /** Nothing to do until something is heard, or time passes. */
    void await() {
        if (talk.stale()) {
            read();
        } else {
            talk = talk.askingAgainAt(in(REREAD));
        }
    }

    /** Reads again no later than at that instant, unless it has passed. */
    void wakeBefore(long nanos) {
        if (!reached(nanos) && talk.open().isEmpty()) {
            talk = talk.askingAgainAt(Math.min(talk.askAgainAt(), nanos));
        }
    }

    /** The coordinator did not answer: asks again, unless nothing was written yet or the time is up. */
    void unanswered(String why) {
        if (!talk.touched() || reached(talk.giveUpAt())) {
            conclude(new OperatorOutcome.Failed(why, talk.touched(), false));
        } else {
            talk = talk.askingAgainAt(in(RETRY));
        }
    }

    /** A swap applied. */
    void applied() {
        talk = talk.touching();
    }
}
