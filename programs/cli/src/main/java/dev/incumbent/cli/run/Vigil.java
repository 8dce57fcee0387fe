package dev.incumbent.cli.run;

import dev.incumbent.Trace;
import dev.incumbent.cli.reading.SinksAdvice;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Feature;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Notice;
import dev.incumbent.protocol.SessionEffect;
import dev.incumbent.protocol.SessionEvent;
import dev.incumbent.protocol.SessionState;
import dev.incumbent.protocol.Step;
import dev.incumbent.protocol.Tenure;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;

/** Hears, on the driver's thread, what the election library does, and tells what a run must know of it. */
final class Vigil implements Trace {
    private final Told told;
    private Optional<CandidateId> me = Optional.empty();
    private Optional<Candidate> holder = Optional.empty();
    private boolean frozen;
    private boolean stood;
    /** Since the last lease that was given or kept; what it is decides what people are told. */
    private Outage outage = Outage.NONE;

    private enum Outage {
        NONE,
        SILENT,
        REFUSED
    }

    /** What it tells; must return at once. */
    interface Told {
        /** Another leads, or nobody may. */
        void heldBy(String whom);

        void unreachable(String why);

        /** The coordinator refuses a lease to a process that has had one. */
        void refused(String why);

        /** It gives leases again. */
        void reachable();

        /** A term ended before it began, since a sink could not be raised. */
        void unraised(String why);

        /** A term ended before it began, since a former leader was not shown to act no more. */
        void unfenced(String why);

        /** Something is done to a former leader, or has been. */
        void fencing(String what);

        /** The lease that was granted is too short. */
        void timingRefused(String why);

        /** The coordinator cannot be used by this process. */
        void coordinatorRefused(String why);

        /** Does not stand, or is well again where {@code why} is empty. */
        void aside(String why);

        /** A term did not last, so that there is a pause before this process stands again, if it does. */
        void standsAgainAfter(Duration pause);

        /** Something failed that nobody else tells. */
        void failure(String sentence);

        /** A sentence for those who want to know. */
        void news(String sentence);
    }

    Vigil(Told told) {
        this.told = told;
    }

    /** To be told before anything is stepped. */
    void me(CandidateId id) {
        me = Optional.of(id);
    }

    @Override
    public void stepped(ElectionName election, Event event, Step<ElectionState, Effect> step, Moment at) {
        record(step.state());
        if (event instanceof Event.MarkRefused) {
            forgottenFreeze(step.state()).ifPresent(told::unraised);
        }
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.Tell tell) {
                told(election, step.state(), tell.notice());
            } else if (effect instanceof Effect.FenceHolder fence) {
                told.fencing("proves that " + fence.holder() + " acts no more, or turns node "
                        + fence.holder().on().node() + " off");
            } else if (effect instanceof Effect.BeginTerm begin) {
                told.news("leads term " + begin.term().number());
            } else if (effect instanceof Effect.EndTerm over) {
                told.news("term " + over.term().number() + " is over: " + over.reason());
            }
        }
    }

    /** A leader whose lease is dead holds nothing, though the record still names it. */
    private void record(ElectionState state) {
        Optional<Candidate> now = state.known()
                .observed()
                .filter(observed -> !observed.isVacant())
                .flatMap(observed -> observed.record().leader());
        boolean isFrozen = state.record().isFrozen();
        if (!now.equals(holder) || isFrozen != frozen) {
            holder = now;
            frozen = isFrozen;
            boolean isAnother = now.isPresent() && !now.map(Candidate::id).equals(me);
            if (isAnother) {
                told.heldBy(now.get().id() + " leads, token " + state.record().term());
            } else if (isFrozen) {
                told.heldBy("it is frozen");
            }
        }
    }

    private void told(ElectionName election, ElectionState state, Notice notice) {
        boolean begun =
                state.tenure().map(Tenure::task).filter(Tenure.Task::begun).isPresent();
        if (notice instanceof Notice.SinkUnraised unraised && !begun) {
            told.unraised("sink " + unraised.sink() + " could not be raised: " + unraised.why());
        } else if (notice instanceof Notice.HolderUnfenced unfenced && !begun) {
            told.unfenced(StonithSentences.unfenced(election, unfenced.holder(), unfenced.why()));
        } else if (notice instanceof Notice.HolderFenced fenced) {
            told.fencing(StonithSentences.fenced(fenced.holder(), fenced.proof()));
        } else if (notice instanceof Notice.HoldersFull full) {
            told.aside(full.why().isEmpty() ? "" : StonithSentences.full(election, full.why()));
        } else if (notice instanceof Notice.SinksMismatch mismatch) {
            String why =
                    new SinksAdvice(state.record().sinks(), mismatch.missing(), mismatch.retired()).sentence(election);
            told.aside(why.isEmpty() ? "" : "does not stand: " + why);
        } else if (notice instanceof Notice.FeaturesUnknown unknown) {
            told.aside(
                    unknown.features().isEmpty()
                            ? ""
                            : unknown.features().equals(Set.of(Feature.STONITH))
                                    ? StonithSentences.required(election)
                                    : "does not stand: the record requires features that this version does not know, "
                                            + unknown.features());
        } else if (notice instanceof Notice.TwoCoordinators two) {
            told.aside("does not stand for ten leases: two coordinators share sink " + two.sink());
        } else if (notice instanceof Notice.Waits waits) {
            told.standsAgainAfter(Duration.ofNanos(waits.nanos()));
        } else {
            told.news(sentence(notice));
        }
    }

    private static String sentence(Notice notice) {
        if (notice instanceof Notice.Won won) {
            return "has won term " + won.term();
        }
        if (notice instanceof Notice.Jeopardy jeopardy) {
            return jeopardy.inJeopardy() ? "is in jeopardy: renewals fail" : "is out of jeopardy";
        }
        return notice.toString();
    }

    /** A freeze's mark at a sink that the record does not name: it cannot be raised, and nobody sets the flag for it. */
    private static Optional<String> forgottenFreeze(ElectionState state) {
        return state.tenure()
                .filter(tenure -> !tenure.task().begun())
                .flatMap(tenure -> tenure.ending().obstacle())
                .filter(met -> met.forgotten().isEmpty() && met.mark().owner() instanceof MarkOwner.OfFreeze)
                .map(met -> "sink " + met.at() + " is frozen at " + met.mark().token());
    }

    @Override
    public void sessionStepped(SessionEvent event, Step<SessionState, SessionEffect> step, Moment at) {
        if (event instanceof SessionEvent.GrantFailed failed) {
            lost(failed.why(), failed.refused());
        } else if (event instanceof SessionEvent.KeepAliveFailed failed) {
            lost(failed.why(), failed.refused());
        } else if (event instanceof SessionEvent.Granted || event instanceof SessionEvent.KeptAlive) {
            stood = true;
            if (outage != Outage.NONE) {
                outage = Outage.NONE;
                told.reachable();
            }
        }
        for (SessionEffect effect : step.effects()) {
            if (effect instanceof SessionEffect.RefuseTiming refused) {
                told.timingRefused(refused.why());
            } else if (effect instanceof SessionEffect.RefuseCoordinator refused) {
                told.coordinatorRefused(refused.why());
            }
        }
    }

    /** Whoever was never given a lease is told no by its configuration, as if the coordinator could not be opened. */
    private void lost(String why, boolean refused) {
        Outage now = refused ? Outage.REFUSED : Outage.SILENT;
        if (now == outage) {
            return;
        }
        outage = now;
        if (!refused) {
            told.unreachable(why);
        } else if (stood) {
            told.refused(why);
        } else {
            told.coordinatorRefused(why);
        }
    }

    @Override
    public void failed(String what, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        boolean isExpected = cause instanceof CoordinatorException || cause instanceof SinkException;
        told.failure(what + ": " + (isExpected ? cause.getMessage() : "internal error: " + cause));
    }
}
