package dev.incumbent.simulation;

import static dev.incumbent.simulation.Canaries.bug;

import dev.incumbent.Candidacy;
import dev.incumbent.Transfer;
import dev.incumbent.model.CandidateId;
import dev.incumbent.simulation.Canaries.Bug;
import dev.incumbent.simulation.Fault.Kind;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** Bugs that only a second call shows. */
final class RepeatBugs {
    private RepeatBugs() {}

    static List<Bug> all() {
        return List.of(
                bug(
                                "a-second-resignation-is-done-at-once",
                                "whoever has resigned has stopped its task",
                                "WhoHasResignedRunsNoTask",
                                0,
                                held(HastyCandidacy::new))
                        .needing(Kind.CALLED_TWICE),
                bug(
                                "a-second-transfer-takes-the-first-ones-place",
                                "every stage that is handed out completes",
                                "EveryStageCompletes",
                                0,
                                held(ForgetfulCandidacy::new))
                        .needing(Kind.CALLED_TWICE),
                bug(
                                "a-second-close-is-not-answered",
                                "every stage that is handed out completes",
                                "EveryStageCompletes",
                                0,
                                held(SilentCandidacy::new))
                        .needing(Kind.CALLED_TWICE),
                bug(
                                "a-second-resignation-ends-the-next-term",
                                "no call ends a term that begins after it",
                                "NoCallEndsALaterTerm",
                                0,
                                held(LingeringCandidacy::new))
                        .needing(Kind.CALLED_TWICE));
    }

    private static Canary held(UnaryOperator<Candidacy> around) {
        return new Canary() {
            @Override
            public Candidacy candidacy(Candidacy whole) {
                return around.apply(whole);
            }
        };
    }

    /** Takes a term that is ending for one that has ended. */
    private static final class HastyCandidacy extends ForwardedCandidacy {
        private CompletionStage<Void> first = CompletableFuture.completedStage(null);

        HastyCandidacy(Candidacy whole) {
            super(whole);
        }

        @Override
        public CompletionStage<Void> resign() {
            if (!first.toCompletableFuture().isDone()) {
                return CompletableFuture.completedStage(null);
            }
            first = whole.resign();
            return first;
        }
    }

    /** Keeps a resignation that comes while another is under way, for the next term. */
    private static final class LingeringCandidacy extends ForwardedCandidacy {
        private CompletionStage<Void> first = CompletableFuture.completedStage(null);

        LingeringCandidacy(Candidacy whole) {
            super(whole);
        }

        @Override
        public CompletionStage<Void> resign() {
            if (first.toCompletableFuture().isDone()) {
                first = whole.resign();
            } else {
                first.thenCompose(done -> whole.whenLeading()).thenRun(whole::resign);
            }
            return first;
        }
    }

    /** Who asks for a transfer while one is under way is told how it ends, and whoever had asked before is not. */
    private static final class ForgetfulCandidacy extends ForwardedCandidacy {
        private Optional<CompletableFuture<Transfer>> waiting = Optional.empty();

        ForgetfulCandidacy(Candidacy whole) {
            super(whole);
        }

        @Override
        public CompletionStage<Transfer> transferTo(CandidateId successor) {
            CompletableFuture<Transfer> asked = new CompletableFuture<>();
            waiting = Optional.of(asked);
            whole.transferTo(successor).whenComplete((transfer, failure) -> {
                if (waiting.equals(Optional.of(asked))) {
                    asked.complete(transfer);
                }
            });
            return asked;
        }
    }

    private static final class SilentCandidacy extends ForwardedCandidacy {
        private boolean isClosed;

        SilentCandidacy(Candidacy whole) {
            super(whole);
        }

        @Override
        public CompletionStage<Void> closeAsync() {
            CompletionStage<Void> closing = whole.closeAsync();
            CompletionStage<Void> told = isClosed ? new CompletableFuture<>() : closing;
            isClosed = true;
            return told;
        }
    }
}
