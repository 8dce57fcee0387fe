package dev.incumbent.internal;

import dev.incumbent.Health;
import dev.incumbent.Leadership;
import dev.incumbent.Transfer;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Feature;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Term;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Notice;
import dev.incumbent.protocol.Standing;
import dev.incumbent.protocol.Tenure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** How one candidacy stands, as others see it: snapshots through volatile fields, written by the loop's thread alone; and those who wait for a step. */
final class CandidacyView {
    private final ElectionName election;
    private final Teller teller;
    private final List<Waiter> waiters = new ArrayList<>();
    private final Trouble troubles = new Trouble();
    private Optional<Notice.TransferAborted> abort = Optional.empty();
    private Optional<CandidateId> handedTo = Optional.empty();
    /** The term of a holder that this process did not get turned off. */
    private OptionalLong notTurnedOff = OptionalLong.empty();

    private volatile ElectionState state = ElectionState.START;
    private volatile Optional<CurrentLeadership> leadership = Optional.empty();
    private volatile Optional<String> trouble = Optional.empty();
    private volatile Optional<Leading> leading = Optional.empty();

    private record Waiter(Predicate<ElectionState> until, CompletableFuture<ElectionState> done) {}

    CandidacyView(ElectionName election, Teller teller) {
        this.election = election;
        this.teller = teller;
    }

    void stepped(ElectionState next, Optional<CurrentLeadership> led) {
        state = next;
        leadership = led;
        if (!waiters.isEmpty()) {
            released(next).forEach(waiter -> waiter.done().complete(next));
        }
        leading.ifPresent(Leading::stepped);
        if (notTurnedOff.isPresent()
                && next.record().holders().of(notTurnedOff.getAsLong()).isEmpty()) {
            notTurnedOff = OptionalLong.empty();
            mended(Trouble.Kind.UNFENCED); // somebody else has, and its machine may lead by now
        }
    }

    /** Those that wait no more. */
    private List<Waiter> released(ElectionState next) {
        List<Waiter> released = new ArrayList<>();
        for (int i = waiters.size() - 1; i >= 0; i--) {
            if (waiters.get(i).until().test(next)) {
                released.add(0, waiters.remove(i));
            }
        }
        return released;
    }

    /** Completes at the first step that leaves such a state, or at once. On the loop's thread. */
    CompletionStage<ElectionState> when(Predicate<ElectionState> until) {
        if (until.test(state)) {
            return CompletableFuture.completedStage(state);
        }
        CompletableFuture<ElectionState> done = new CompletableFuture<>();
        waiters.add(new Waiter(until, done));
        return done;
    }

    void told(Notice notice) {
        if (notice instanceof Notice.TransferAborted aborted) {
            abort = Optional.of(aborted);
        } else if (notice instanceof Notice.SinkUnraised unraised) {
            arose(Trouble.Kind.UNRAISED, "sink " + unraised.sink() + " could not be raised: " + unraised.why());
        } else if (notice instanceof Notice.HolderUnfenced unfenced) {
            notTurnedOff = OptionalLong.of(unfenced.holder().term());
            arose(
                    Trouble.Kind.UNFENCED,
                    "does not begin: " + unfenced.holder() + " may still act and was not turned off: " + unfenced.why()
                            + "; turn node " + unfenced.holder().on().node()
                            + " off by hand, see that it is off, then confirm that by 'incumbent stonith confirm "
                            + election + " " + unfenced.holder().on().node() + " --term "
                            + unfenced.holder().term() + " --why TEXT' or ElectionAdmin.confirmHolder");
        } else if (notice instanceof Notice.HoldersFull full) {
            full(full.why());
        } else if (notice instanceof Notice.SinksMismatch mismatch) {
            mismatched(mismatch);
        } else if (notice instanceof Notice.FeaturesUnknown unknown) {
            required(unknown);
        } else if (notice instanceof Notice.Healed healed) {
            teller.met(election, healed.term(), healed.sink(), healed.met());
        } else if (notice instanceof Notice.TwoCoordinators two) {
            arose(
                    Trouble.Kind.TWO_COORDINATORS,
                    "two coordinators share sink " + two.sink() + ": three times within ten leases its mark, last "
                            + two.met() + ", was above the record's term");
        }
    }

    private void full(String why) {
        if (why.isEmpty()) {
            mended(Trouble.Kind.HOLDERS);
        } else {
            arose(
                    Trouble.Kind.HOLDERS,
                    "does not stand: too many former leaders of " + election + " may still act: " + why
                            + "; 'incumbent stonith list " + election
                            + "' lists them, and 'incumbent stonith confirm', or ElectionAdmin.confirmHolder, takes one off");
        }
    }

    private void mismatched(Notice.SinksMismatch mismatch) {
        if (mismatch.missing().isEmpty() && mismatch.retired().isEmpty()) {
            mended(Trouble.Kind.MISMATCH);
        } else {
            List<String> why = new ArrayList<>();
            if (!mismatch.missing().isEmpty()) {
                why.add("the record requires " + named(mismatch.missing())
                        + ", which this process does not guard: guard it, or retire it with incumbent fence retire "
                        + election + " --sink-id ID");
            }
            if (!mismatch.retired().isEmpty()) {
                why.add("this process guards " + named(mismatch.retired())
                        + ", which was retired: guard it no more, or undo that with incumbent fence retire " + election
                        + " --sink-id ID --undo");
            }
            arose(Trouble.Kind.MISMATCH, "does not stand: " + String.join("; ", why));
        }
    }

    /** Each by the label that the record has for it, if it has one. */
    private String named(Set<SinkId> sinks) {
        return sinks.stream()
                .map(id -> Optional.ofNullable(state.record().sinks().get(id))
                        .map(label -> "sink " + label + " (id " + id + ")")
                        .orElse("the sink with id " + id))
                .collect(Collectors.joining(" and "));
    }

    private void required(Notice.FeaturesUnknown unknown) {
        if (unknown.features().isEmpty()) {
            mended(Trouble.Kind.FEATURES);
        } else {
            boolean isOnlyStonith = unknown.features().equals(Set.of(Feature.STONITH));
            arose(
                    Trouble.Kind.FEATURES,
                    isOnlyStonith
                            ? "does not stand: " + election
                                    + " requires that former leaders are turned off, and this process has no fence"
                                    + " agent there"
                            : "does not stand: the record requires features that this version does not know, "
                                    + unknown.features());
        }
    }

    void arose(Trouble.Kind kind, String what) {
        troubles.arose(kind, what);
        trouble = troubles.last();
        teller.arose(election, kind, what);
    }

    void mended(Trouble.Kind kind) {
        troubles.mended(kind);
        trouble = troubles.last();
        teller.mended(election, kind);
    }

    Optional<Leadership> leadership() {
        return leadership.filter(led -> !led.isOver()).map(Leadership.class::cast);
    }

    /** The term it leads, where its guard says yes. Any thread. */
    Optional<Leadership> held() {
        return leadership().filter(Leadership::holds);
    }

    /** Those who wait until it leads, made for the first of them: most candidacies have none, and one process may have ten thousand. Any thread. */
    synchronized Leading leading(Consumer<Leading> made) {
        if (leading.isEmpty()) {
            leading = Optional.of(new Leading(this::held));
            made.accept(leading.get());
        }
        return leading.get();
    }

    /** Those who wait until it leads wait no more. */
    void neverLeads(RuntimeException why) {
        leading.ifPresent(waiting -> waiting.left(why));
    }

    Health health() {
        ElectionState seen = state;
        return new Health(
                seen.role(),
                seen.record().leader(),
                seen.record().term(),
                seen.lease().isPresent(),
                seen.standing().listing() == Standing.Listing.ON,
                seen.tenure().filter(t -> t.ending().stalled()).isPresent(),
                trouble);
    }

    /** The term of its own that it has not seen to its end, be it one that has yet to begin. Any thread. */
    Optional<Term> term() {
        return state.tenure().map(Tenure::term);
    }

    /** A term has ended in that candidate's favour. */
    void handedTo(Optional<CandidateId> successor) {
        handedTo = successor;
    }

    /** A transfer is about to be asked for: what was told of others before says nothing of it. On the loop's thread. */
    void transferAsked() {
        abort = Optional.empty();
        handedTo = Optional.empty();
    }

    /** How the transfer ends that was asked for last. On the loop's thread. */
    CompletionStage<Transfer> transfer(CandidateId successor) {
        return when(s -> abortOf(successor).isPresent() || s.tenure().isEmpty() || isDropped(s, successor))
                .thenApply(s -> abortOf(successor)
                        .<Transfer>map(told -> new Transfer.Aborted(told.why()))
                        .orElseGet(() -> ended(s, successor)));
    }

    private Optional<Notice.TransferAborted> abortOf(CandidateId successor) {
        return abort.filter(told -> told.successor().equals(successor));
    }

    /** Does the leader neither wish that transfer any more nor do one? */
    private static boolean isDropped(ElectionState now, CandidateId successor) {
        return now.tenure()
                .map(Tenure::handover)
                .filter(handover ->
                        handover.successor().isEmpty() && !handover.wished().equals(Optional.of(successor)))
                .isPresent();
    }

    private Transfer ended(ElectionState now, CandidateId successor) {
        return now.tenure()
                .<Transfer>map(leads -> new Transfer.Aborted(leads.handover()
                        .wished()
                        .map(other -> "a transfer to " + other + " replaced it")
                        .orElse("another transfer came before it, and was given up")))
                .orElseGet(() -> handedOver(now, successor));
    }

    private Transfer handedOver(ElectionState left, CandidateId successor) {
        Optional<EndReason> reason = leadership.flatMap(CurrentLeadership::reason);
        if (reason.filter(EndReason.TRANSFERRED::equals).isEmpty()) {
            return new Transfer.Aborted("the term ended otherwise; this process is " + left.role());
        }
        return handedTo.filter(to -> !to.equals(successor))
                .<Transfer>map(to -> new Transfer.Aborted("the term was handed to " + to + " instead"))
                .orElseGet(() -> new Transfer.HandedOver(successor));
    }
}
