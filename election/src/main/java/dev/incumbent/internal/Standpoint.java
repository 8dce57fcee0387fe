package dev.incumbent.internal;

import dev.incumbent.Health;
import dev.incumbent.Leadership;
import dev.incumbent.Transfer;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.EndReason;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Notice;
import dev.incumbent.protocol.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** How one candidacy stands, as others see it: snapshots through volatile fields, written by the driver's thread; and those who wait for a step. */
final class Standpoint {
    private List<Waiter> waiters = List.of();
    private volatile ElectionState state = ElectionState.START;
    private volatile Optional<CurrentLeadership> leadership = Optional.empty();
    private volatile Optional<String> trouble = Optional.empty();
    private volatile Optional<String> abort = Optional.empty();

    private record Waiter(Predicate<ElectionState> until, CompletableFuture<ElectionState> done) {}

    void stepped(ElectionState next, Optional<CurrentLeadership> led) {
        state = next;
        leadership = led;
        contentWith(next).forEach(waiter -> waiter.done().complete(next));
    }

    /** Completes at the first step that leaves such a state, or at once. */
    CompletableFuture<ElectionState> when(Predicate<ElectionState> until) {
        CompletableFuture<ElectionState> done = new CompletableFuture<>();
        add(new Waiter(until, done));
        stepped(state, leadership);
        return done;
    }

    private synchronized void add(Waiter waiter) {
        List<Waiter> more = new ArrayList<>(waiters);
        more.add(waiter);
        waiters = more;
    }

    /** Lets go of those who waited for such a state. */
    private synchronized List<Waiter> contentWith(ElectionState next) {
        if (waiters.isEmpty()) {
            return List.of();
        }
        List<Waiter> content = new ArrayList<>();
        waiters.removeIf(waiter -> waiter.until().test(next) && content.add(waiter));
        return content;
    }

    void told(Notice notice) {
        if (notice instanceof Notice.TransferAborted aborted) {
            abort = Optional.of(aborted.why());
        } else if (notice instanceof Notice.Won) {
            abort = Optional.empty();
        } else if (notice instanceof Notice.SinkUnraised unraised) {
            trouble = Optional.of("sink " + unraised.sink() + " could not be raised: " + unraised.why());
        } else if (notice instanceof Notice.SinksMismatch mismatch) {
            trouble = mismatch.missing().isEmpty() && mismatch.retired().isEmpty()
                    ? Optional.empty()
                    : Optional.of("does not stand: lacks the sinks " + mismatch.missing()
                            + " of the record, brings the retired " + mismatch.retired());
        } else if (notice instanceof Notice.TwoCoordinators two) {
            trouble = Optional.of("two coordinators share sink " + two.sink()
                    + ": three times within ten leases its mark, last " + two.met() + ", was above the record's term");
        }
    }

    void troubled(String why) {
        trouble = Optional.of(why);
    }

    void begun() {
        trouble = Optional.empty();
    }

    Optional<Leadership> leadership() {
        return leadership.filter(led -> !led.isOver()).map(Leadership.class::cast);
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

    /** How the transfer that was just asked for ends. */
    CompletableFuture<Transfer> transfer(CandidateId successor) {
        abort = Optional.empty();
        return when(s -> abort.isPresent() || s.tenure().isEmpty())
                .thenApply(s -> abort.<Transfer>map(Transfer.Aborted::new).orElseGet(() -> handedOver(s, successor)));
    }

    private Transfer handedOver(ElectionState left, CandidateId successor) {
        boolean handed = leadership
                .map(Leadership::ended)
                .filter(ended -> ended.toCompletableFuture().getNow(EndReason.CLOSED) == EndReason.TRANSFERRED)
                .isPresent();
        return handed
                ? new Transfer.HandedOver(successor)
                : new Transfer.Aborted("the term ended otherwise; this process is " + left.role());
    }
}
