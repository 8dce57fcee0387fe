package dev.incumbent.protocol.operator;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Cordons;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.Feature;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.Holders;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.model.SinkId;
import dev.incumbent.outcome.OperatorOutcome;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A short play: an operation, the lines it is told, and what it does about them. */
final class Play {
    static final Duration LEASE = Duration.ofSeconds(15);
    static final Candidate ANN = candidate("ann");
    static final Candidate BOB = candidate("bob");
    static final SinkId LEDGER = new SinkId("S-ledger");
    static final SinkId AUDIT = new SinkId("S-audit");
    static final LeaderRecord VACANT = new LeaderRecord(
            7,
            Optional.empty(),
            Optional.empty(),
            LEASE,
            Instant.EPOCH,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Cordons.NONE,
            Map.of(LEDGER, "ledger.db"),
            Set.of(),
            Set.of(),
            Holders.NONE,
            "n0",
            List.of(),
            Map.of());
    static final LeaderRecord LED = VACANT.claimedBy(7, ANN, new LeaseId("L-ann"), LEASE, Instant.EPOCH);

    private final OperatorProtocol protocol;
    private final List<OperatorEffect> done = new ArrayList<>();
    private OperatorState state;
    private String question = "";
    private long nanos;
    private long wakeAt;

    private Play(OperatorProtocol protocol, OperatorState state) {
        this.protocol = protocol;
        this.state = state;
    }

    static Play of(OperatorState state) {
        return new Play(new OperatorProtocol(), state).tell(new OperatorEvent.Begun());
    }

    /** The operation of a version that knows these features. */
    static Play of(OperatorState state, Set<Feature> supported) {
        return new Play(new OperatorProtocol(supported), state).tell(new OperatorEvent.Begun());
    }

    static Candidate candidate(String name) {
        return new Candidate(CandidateId.of(name, "host", 1, "aa"), name, "");
    }

    static Enlisted enlisted(Candidate candidate, SinkId... sinks) {
        return new Enlisted(candidate, new LeaseId("L-" + candidate.name()), Instant.EPOCH, Set.of(sinks));
    }

    static LeaderRecord frozen(LeaderRecord record, String by, long number) {
        return record.withFreeze(Optional.of(new Freeze(by, "a test", Instant.EPOCH, number)));
    }

    static Mark mark(long token, MarkOwner owner) {
        return new Mark(new FencingToken(token), owner);
    }

    /** A record whose revision is its nonce; its leader's lease is alive where it has one. */
    static ObservedRecord alive(LeaderRecord record) {
        return new ObservedRecord(
                record, new Revision(record.nonce()), record.leader().isPresent(), Optional.empty());
    }

    static ObservedRecord dead(LeaderRecord record) {
        return new ObservedRecord(record, new Revision(record.nonce()), false, Optional.empty());
    }

    Play tell(OperatorEvent event) {
        Step<OperatorState, OperatorEffect> step = protocol.step(state, event, new Moment(nanos, Instant.EPOCH));
        state = step.state();
        wakeAt = step.wakeAtNanos();
        done.clear();
        done.addAll(step.effects());
        for (OperatorEffect effect : done) {
            if (effect instanceof OperatorEffect.ReadRecord read) {
                question = read.question();
            } else if (effect instanceof OperatorEffect.ReadCandidates read) {
                question = read.question();
            } else if (effect instanceof OperatorEffect.SwapRecord swap) {
                question = swap.next().nonce();
            }
        }
        return this;
    }

    Play reads(LeaderRecord record) {
        return tell(new OperatorEvent.RecordRead(question, alive(record)));
    }

    Play readsDead(LeaderRecord record) {
        return tell(new OperatorEvent.RecordRead(question, dead(record)));
    }

    Play lists(Enlisted... candidates) {
        return tell(new OperatorEvent.CandidatesRead(question, List.of(candidates)));
    }

    Play accepted() {
        return tell(new OperatorEvent.SwapAccepted(question));
    }

    Play refused() {
        return tell(new OperatorEvent.SwapRefused(question));
    }

    Play uncertain() {
        return tell(new OperatorEvent.SwapUncertain(question, "timed out"));
    }

    Play unanswered() {
        return tell(new OperatorEvent.Unanswered(question, "no route"));
    }

    Play unusable() {
        return tell(new OperatorEvent.Unusable(question, "access denied"));
    }

    Play marked(int sink, SinkId id, Mark mark) {
        return tell(new OperatorEvent.MarkRead(sink, id, Optional.of(mark)));
    }

    Play unmarked(int sink, SinkId id) {
        return tell(new OperatorEvent.MarkRead(sink, id, Optional.empty()));
    }

    Play silent(int sink) {
        return tell(new OperatorEvent.MarkUnread(sink, "no route"));
    }

    /** The raise that it has just sent to that sink takes effect. */
    Play raised(int sink) {
        return tell(new OperatorEvent.MarkRaised(sink, raise(sink)));
    }

    /** Waits until it wants to be woken. */
    Play waits() {
        nanos = Math.max(nanos, wakeAt);
        return tell(new OperatorEvent.TimePassed());
    }

    /** Time passes, and it is woken. */
    Play after(Duration time) {
        nanos += time.toNanos();
        return tell(new OperatorEvent.TimePassed());
    }

    Play at(Duration sinceBegin) {
        nanos = sinceBegin.toNanos();
        return this;
    }

    /** Since it began. */
    Duration passed() {
        return Duration.ofNanos(nanos);
    }

    boolean isToBeWoken() {
        return wakeAt != Step.NEVER;
    }

    OperatorState state() {
        return state;
    }

    List<OperatorEffect> did() {
        return List.copyOf(done);
    }

    /** What whoever waits is told, as it prints. */
    List<String> told() {
        return done.stream()
                .filter(effect -> effect instanceof OperatorEffect.Tell)
                .map(effect -> ((OperatorEffect.Tell) effect).progress().toString())
                .toList();
    }

    boolean isReading() {
        return done.stream().anyMatch(effect -> effect instanceof OperatorEffect.ReadRecord);
    }

    OperatorEffect.SwapRecord swap() {
        return done.stream()
                .filter(effect -> effect instanceof OperatorEffect.SwapRecord)
                .map(effect -> (OperatorEffect.SwapRecord) effect)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no swap among " + done));
    }

    Mark raise(int sink) {
        return done.stream()
                .filter(effect -> effect instanceof OperatorEffect.RaiseMark raise && raise.sink() == sink)
                .map(effect -> ((OperatorEffect.RaiseMark) effect).mark())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no raise of sink " + sink + " among " + done));
    }

    OperatorOutcome outcome() {
        if (state instanceof Concluded concluded) {
            return concluded.outcome();
        }
        throw new AssertionError("not concluded by " + done);
    }

    boolean isOver() {
        return state instanceof Concluded;
    }
}
