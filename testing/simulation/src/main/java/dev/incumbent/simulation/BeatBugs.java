package dev.incumbent.simulation;

import static dev.incumbent.simulation.Canaries.UNFENCED;
import static dev.incumbent.simulation.Canaries.bug;

import dev.incumbent.beats.BeatEvent;
import dev.incumbent.beats.BeatTransport;
import dev.incumbent.beats.Message;
import dev.incumbent.beats.Peer;
import dev.incumbent.beats.Rhythm;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Role;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import dev.incumbent.simulation.Canaries.Bug;
import dev.incumbent.simulation.Fault.Kind;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Bugs of how leaders are heard, and of what a suspicion of one is worth. */
final class BeatBugs {
    private static final String PAUSED = "a-pause-of-ones-own-is-a-silence";
    private static final String CAUGHT_BY = "OnlyTheOwnerEndsItsTerm";

    private BeatBugs() {}

    static List<Bug> all() {
        return Stream.concat(ofSuspicions().stream(), ofHearing().stream())
                .map(bug -> bug.name().equals(PAUSED) ? bug.needing(Kind.HEARD, Kind.PAUSE) : bug.needing(Kind.HEARD))
                .toList();
    }

    private static List<Bug> ofSuspicions() {
        return List.of(
                bug(
                        "preempts-the-unfenced",
                        "only where every sink is fenced a leader is preempted",
                        CAUGHT_BY,
                        UNFENCED,
                        Rewriting.around(BeatBugs::deadOnceSuspected)),
                bug(
                        "preempts-whom-it-never-heard",
                        "only a leader that was heard in this very term is preempted",
                        CAUGHT_BY,
                        1,
                        Rewriting.around(BeatBugs::heardOnceSuspected)),
                bug(
                        "a-slow-raise-is-a-silence",
                        "a winner that raises slowly, and beats, is not preempted",
                        CAUGHT_BY,
                        1,
                        Rewriting.around(BeatBugs::suspectedOnceHeard)));
    }

    private static List<Bug> ofHearing() {
        return List.of(
                bug(
                        PAUSED,
                        "a silence counts only while this process itself has listened",
                        CAUGHT_BY,
                        1,
                        beats(CatchesUp::new)),
                bug(
                        "an-electorate-that-shrinks",
                        "a majority of the leader's own last list confirms a silence",
                        CAUGHT_BY,
                        1,
                        beats(CountsItself::new)),
                bug(
                                "whoever-is-cut-off-suspects",
                                "whoever has lost most of its connections suspects nobody",
                                CAUGHT_BY,
                                1,
                                beats(ThinksItIsHeard::new))
                        .among(BeatBugs::hasManyHearersAndFewOtherFaults));
    }

    /** It showed in worlds of four machines alone, and the more often, the fewer other kinds of fault there were: in 8 of 497 worlds of at most six kinds, in 4 of 790 of at most nine. */
    private static boolean hasManyHearersAndFewOtherFaults(Profile profile) {
        return profile.nodes() == 4 && profile.kinds().size() <= 8;
    }

    private static Canary beats(UnaryOperator<BeatTransport> around) {
        return new Canary() {
            @Override
            public BeatTransport beats(BeatTransport whole) {
                return around.apply(whole);
            }
        };
    }

    private static Step<ElectionState, Effect> deadOnceSuspected(
            Machine inner, ElectionState state, Event event, Moment now) {
        Step<ElectionState, Effect> step = inner.step(state, event, now);
        if (!(event instanceof Event.LeaderSuspected)
                || step.state().known().observed().isEmpty()) {
            return step;
        }
        ObservedRecord told = step.state().known().observed().get();
        ObservedRecord dead = new ObservedRecord(told.record(), told.revision(), false, told.leaseRemaining());
        return Rewriting.fed(inner, step, new Event.RecordObserved(dead, now.nanos()), now);
    }

    private static Step<ElectionState, Effect> heardOnceSuspected(
            Machine inner, ElectionState state, Event event, Moment now) {
        if (!(event instanceof Event.LeaderSuspected suspected)) {
            return inner.step(state, event, now);
        }
        Step<ElectionState, Effect> heard =
                inner.step(state, new Event.LeaderHeard(suspected.leader(), suspected.term()), now);
        return Rewriting.fed(inner, heard, event, now);
    }

    private static Step<ElectionState, Effect> suspectedOnceHeard(
            Machine inner, ElectionState state, Event event, Moment now) {
        Step<ElectionState, Effect> step = inner.step(state, event, now);
        return event instanceof Event.LeaderHeard heard && state.role() == Role.CANDIDATE
                ? Rewriting.fed(inner, step, new Event.LeaderSuspected(heard.leader(), heard.term()), now)
                : step;
    }

    /** Other connections, but for what is overridden. */
    private abstract static class OtherBeats implements BeatTransport {
        final BeatTransport whole;

        OtherBeats(BeatTransport whole) {
            this.whole = whole;
        }

        @Override
        public String address() {
            return whole.address();
        }

        @Override
        public Rhythm rhythm() {
            return whole.rhythm();
        }

        @Override
        public long nanos() {
            return whole.nanos();
        }

        @Override
        public void begin(Consumer<BeatEvent> hears) {
            whole.begin(event -> told(hears, event));
        }

        abstract void told(Consumer<BeatEvent> hears, BeatEvent event);

        @Override
        public void execute(Runnable task) {
            whole.execute(task);
        }

        @Override
        public void wakeAt(long nanos) {
            whole.wakeAt(nanos);
        }

        @Override
        public void dial(Peer peer) {
            whole.dial(peer);
        }

        @Override
        public void send(long connection, Message message) {
            whole.send(connection, message);
        }

        @Override
        public void drop(long connection) {
            whole.drop(connection);
        }

        @Override
        public void close() {
            whole.close();
        }
    }

    /** After a pause it tells every alarm that it has missed, as if it rang in time, and throws the beats away that have waited. */
    private static final class CatchesUp extends OtherBeats {
        private static final long NEVER = Long.MAX_VALUE;

        private long due = NEVER;
        private long pretended = NEVER;
        private long caughtUpAt = NEVER;

        CatchesUp(BeatTransport whole) {
            super(whole);
        }

        @Override
        public long nanos() {
            return Math.min(pretended, whole.nanos());
        }

        @Override
        public void wakeAt(long nanos) {
            due = nanos;
            super.wakeAt(nanos);
        }

        @Override
        void told(Consumer<BeatEvent> hears, BeatEvent event) {
            long beat = rhythm().beat().toNanos();
            while (due != NEVER && due < whole.nanos() - beat) {
                pretended = due;
                due = NEVER;
                caughtUpAt = whole.nanos();
                hears.accept(new BeatEvent.Woken());
            }
            pretended = NEVER;
            boolean isStale = caughtUpAt == whole.nanos()
                    && event instanceof BeatEvent.Received it
                    && it.message() instanceof Message.Beat;
            if (!isStale) {
                hears.accept(event);
            }
        }
    }

    /** Of those that listen to another one it keeps nobody but itself in mind. */
    private static final class CountsItself extends OtherBeats {
        CountsItself(BeatTransport whole) {
            super(whole);
        }

        @Override
        void told(Consumer<BeatEvent> hears, BeatEvent event) {
            hears.accept(
                    event instanceof BeatEvent.Received it && it.message() instanceof Message.Change change
                            ? new BeatEvent.Received(it.connection(), alone(change))
                            : event);
        }

        private Message.Change alone(Message.Change change) {
            Map<CandidateId, String> joined = new TreeMap<>(change.joined());
            joined.values().removeIf(address -> !address.equals(address()));
            return new Message.Change(
                    change.from(), change.to(), change.terms(), change.ended(), joined, change.left());
        }
    }

    /** Refused by one, it takes all others for connected. */
    private static final class ThinksItIsHeard extends OtherBeats {
        private final Map<CandidateId, Peer> met = new TreeMap<>();
        private long made = -1;

        ThinksItIsHeard(BeatTransport whole) {
            super(whole);
        }

        @Override
        void told(Consumer<BeatEvent> hears, BeatEvent event) {
            if (event instanceof BeatEvent.Connected it) {
                met.put(it.peer().id(), it.peer());
            }
            if (event instanceof BeatEvent.Unreached it && it.refused()) {
                met.values().stream()
                        .filter(peer -> !peer.equals(it.peer()))
                        .forEach(peer -> hears.accept(new BeatEvent.Connected(made--, peer, false)));
            }
            hears.accept(event);
        }
    }
}
