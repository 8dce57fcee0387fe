package dev.incumbent.internal;

import dev.incumbent.Candidacy;
import dev.incumbent.Health;
import dev.incumbent.Leadership;
import dev.incumbent.Transfer;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Term;
import dev.incumbent.protocol.Event;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** A candidacy as its user holds it: questions to its view, wishes as events. */
final class CurrentCandidacy implements Candidacy {
    private static final long UNKNOWN = -1;
    private static final long MOST_POSITION = 999_999_999_999_999_999L;

    private final ElectionRuntime runtime;
    private final ElectionName election;
    private final Serial userCode;
    private final CandidacyView view;
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    /** The newest position that the loop's thread has yet to take; a task waits for its turn to do so wherever there is one. */
    private final AtomicLong reported = new AtomicLong(UNKNOWN);
    // Touched by the loop's thread alone.
    private Optional<ElectionDriver> driver = Optional.empty();
    private boolean isGone;
    private boolean well = true;
    private long position = UNKNOWN;

    CurrentCandidacy(ElectionRuntime runtime, ElectionName election, Serial userCode, Teller teller) {
        this.runtime = runtime;
        this.election = election;
        this.userCode = userCode;
        this.view = new CandidacyView(election, teller);
    }

    ElectionName election() {
        return election;
    }

    CandidacyView view() {
        return view;
    }

    Serial userCode() {
        return userCode;
    }

    /** It stands. On the loop's thread. */
    void opened(ElectionDriver opened) {
        driver = Optional.of(opened);
        if (!well) {
            opened.step(new Event.HealthChanged(false));
        }
        if (position != UNKNOWN) {
            opened.step(new Event.PositionReached(position));
        }
        opened.step(new Event.Campaigned());
    }

    /** It is driven only to leave. On the loop's thread. */
    void leaves(ElectionDriver leaving) {
        driver = Optional.of(leaving);
    }

    /** Nothing drives it any more, and nothing is told of it. On the loop's thread. */
    void leaves() {
        isGone = true;
    }

    /** Has it stood, and left? Its listeners may have to hear that yet. On the loop's thread. */
    boolean isGone() {
        return isGone;
    }

    /** What drives it, once it stands. On the loop's thread. */
    Optional<ElectionDriver> driver() {
        return driver;
    }

    /** Completes once nothing of this process is left in the election, and its listeners have heard all there was. */
    CompletableFuture<Void> left() {
        return left;
    }

    @Override
    public Health health() {
        return view.health();
    }

    @Override
    public Optional<Leadership> leadership() {
        return view.held();
    }

    @Override
    public CompletionStage<Leadership> whenLeading() {
        return runtime.handedOut(nextLeadership());
    }

    @Override
    public Leadership awaitLeadership() throws InterruptedException {
        try {
            return nextLeadership().get();
        } catch (ExecutionException e) {
            throw neverLeads();
        }
    }

    @Override
    public Optional<Leadership> awaitLeadership(Duration atMost) throws InterruptedException {
        try {
            return Optional.of(nextLeadership().get(TimeUnit.NANOSECONDS.convert(atMost), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw neverLeads();
        }
    }

    private CompletableFuture<Leadership> nextLeadership() {
        Leading waiting = view.leading(made -> onceLeft(() -> made.left(hasLeft())));
        CompletableFuture<Leadership> next = waiting.next();
        if (left.isDone()) {
            return CompletableFuture.failedFuture(hasLeft());
        }
        return next.isDone() || runtime.troubles().unusable().isEmpty()
                ? next
                : CompletableFuture.failedFuture(neverLeads());
    }

    /** Why nobody need wait here. */
    private RuntimeException neverLeads() {
        return runtime.troubles()
                .unusable()
                .<RuntimeException>map(why -> new CoordinatorUnusableException(String.valueOf(why.getMessage()), why))
                .orElseGet(this::hasLeft);
    }

    /** The coordinator cannot be used by this process, and never will be. On the loop's thread. */
    void neverLeads(CoordinatorUnusableException why) {
        view.arose(Trouble.Kind.UNUSABLE, String.valueOf(why.getMessage()));
        view.neverLeads(why);
    }

    private IllegalStateException hasLeft() {
        return new IllegalStateException("this process has left " + election + ": it waits for no term there");
    }

    /** A term that is ending already is waited for. What is meant is the term of the moment of the call, and none that begins before the loop's thread takes it. */
    @Override
    public CompletionStage<Void> resign() {
        Optional<Term> meant = view.term();
        CompletableFuture<Void> resigned = new CompletableFuture<>();
        onceLeft(() -> leftBefore(resigned));
        runtime.execute(() -> {
            if (meant.isEmpty() || !view.term().equals(meant)) {
                resigned.complete(null);
                return;
            }
            view.when(s -> s.tenure().isEmpty()).thenRun(() -> resigned.complete(null));
            driver.ifPresent(driving -> driving.step(new Event.ResignAsked()));
        });
        return runtime.handedOut(resigned);
    }

    private void onceLeft(Runnable then) {
        CompletionStage<Void> end = left;
        end.thenRun(then);
    }

    /** Nobody sees to it any more. */
    private void leftBefore(CompletableFuture<Void> resigned) {
        if (view.term().isPresent()) {
            resigned.completeExceptionally(
                    new IllegalStateException("this process left " + election + " before its task had returned"));
        } else {
            resigned.complete(null);
        }
    }

    @Override
    public CompletionStage<Transfer> transferTo(CandidateId successor) {
        Optional<Term> meant = view.term();
        CompletableFuture<Transfer> transferred = new CompletableFuture<>();
        onceLeft(() -> transferred.complete(new Transfer.Aborted("this process has left " + election)));
        runtime.execute(() -> {
            if (view.leadership().isEmpty() || !view.term().equals(meant)) {
                transferred.complete(new Transfer.Aborted("this process does not lead"));
                return;
            }
            view.transferAsked();
            driver.ifPresent(driving -> driving.step(new Event.TransferAsked(successor)));
            view.transfer(successor).thenAccept(transferred::complete);
        });
        return runtime.handedOut(transferred);
    }

    @Override
    public void setHealthy(boolean isHealthy) {
        runtime.execute(() -> {
            if (isHealthy && !isGone) {
                view.mended(Trouble.Kind.UNHEALTHY);
            }
            turned(isHealthy);
        });
    }

    /** Whoever has left has no trouble any more. */
    @Override
    public void setUnhealthy(String why) {
        runtime.execute(() -> {
            if (!isGone) {
                view.arose(Trouble.Kind.UNHEALTHY, "neither leads nor stands: " + why);
            }
            turned(false);
        });
    }

    private void turned(boolean isHealthy) {
        well = isHealthy;
        driver.ifPresent(driving -> driving.step(new Event.HealthChanged(isHealthy)));
    }

    @Override
    public void reportPosition(long reached) {
        if (reached < 0 || reached > MOST_POSITION) {
            throw new IllegalArgumentException("a position is from 0 to " + MOST_POSITION + ", this one is " + reached);
        }
        if (reported.getAndSet(reached) == UNKNOWN) {
            runtime.execute(this::takePosition);
        }
    }

    private void takePosition() {
        position = reported.getAndSet(UNKNOWN);
        driver.ifPresent(driving -> driving.step(new Event.PositionReached(position)));
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return runtime.handedOut(runtime.withdraw(this));
    }

    @Override
    public void close() {
        runtime.close(this);
    }
}
