package dev.incumbent.internal;

import dev.incumbent.ElectionListener;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Term;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** Writes what a listener hears to a logger: one line a change, warnings for what somebody should look at, and an error with its stack for user code that threw. */
public final class Log implements ElectionListener {
    private static final Set<EndReason> INTENDED =
            EnumSet.of(EndReason.RESIGNED, EndReason.TRANSFERRED, EndReason.CLOSED, EndReason.FROZEN);

    private final Logger logger;

    public Log(Logger logger) {
        this.logger = logger;
    }

    @Override
    public void onGranted(Term term) {
        logger.log(Level.INFO, "{0}: this process leads, token {1}", term.election(), text(term));
    }

    @Override
    public void onRevoked(Term term, EndReason reason) {
        logger.log(
                INTENDED.contains(reason) ? Level.INFO : Level.WARNING,
                "{0}: this process no longer leads, token {1}: {2}",
                term.election(),
                text(term),
                sentence(reason));
    }

    @Override
    public void onTransferDeclined(Term term, String successor, String why) {
        logger.log(
                Level.WARNING,
                "{0}: this process leads on, token {1}: the transfer to {2} was given up: {3}",
                term.election(),
                text(term),
                successor,
                why);
    }

    @Override
    public void onFailed(Term term, Throwable thrown) {
        logger.log(Level.ERROR, term.election() + ": the task or listener of token " + text(term) + " threw", thrown);
    }

    @Override
    public void onTrouble(ElectionName election, String what) {
        logger.log(Level.WARNING, "{0}: {1}", election, what);
    }

    @Override
    public void onTroubleOver(ElectionName election, String what) {
        logger.log(Level.INFO, "{0}: over: {1}", election, what);
    }

    @Override
    public void onMarkMet(ElectionName election, long term, SinkId sink, Mark met) {
        logger.log(
                Level.WARNING,
                "{0}: term {1} met the mark {2} at sink {3}: the coordinator was restored to an older copy, or two of"
                        + " them share the sink; the next term is above that mark",
                election,
                Long.toString(term),
                met,
                sink);
    }

    @Override
    public void onUnreachable(String why) {
        logger.log(
                Level.WARNING,
                "the coordinator gives {0}; a leader stops when its lease runs out, and stands again once the coordinator gives one",
                why);
    }

    @Override
    public void onReachable(Duration after) {
        logger.log(
                Level.INFO,
                "the coordinator gives leases again, after {0} s",
                "%.1f".formatted(after.toMillis() / 1000.0));
    }

    @Override
    public void onHeard(CandidateId leader) {
        logger.log(Level.INFO, "the leader {0} is heard beside the coordinator", leader);
    }

    @Override
    public void onSuspected(CandidateId leader, String why) {
        logger.log(
                Level.WARNING,
                "the leader {0} is not heard any more: {1}; where it guards sinks, another process leads before its lease ends",
                leader,
                why);
    }

    @Override
    public void onMistaken(CandidateId leader, int patience) {
        logger.log(
                Level.WARNING,
                "the leader {0} was suspected by mistake; a silence must last {1} times as long now until it counts",
                leader,
                patience);
    }

    /** Digits without grouping: as the token stands in records and sinks. */
    private static String text(Term term) {
        return Long.toString(term.number());
    }

    private static String sentence(EndReason reason) {
        return switch (reason) {
            case RESIGNED -> "it resigned";
            case TRANSFERRED -> "it handed over";
            case TASK_FAILED -> "its task threw";
            case LEASE_LOST -> "its lease could not be renewed in time";
            case SUPERSEDED -> "a later term or a higher mark at a sink exists";
            case FROZEN -> "the election is frozen";
            case UNHEALTHY -> "the process said that it is not healthy";
            case STALLED -> "its task did not stop";
            case CLOSED -> "its candidacy was closed";
        };
    }
}
