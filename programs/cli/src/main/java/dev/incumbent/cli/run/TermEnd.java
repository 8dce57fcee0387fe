package dev.incumbent.cli.run;

import dev.incumbent.Leadership;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.model.EndReason;
import dev.incumbent.supervisor.RunOutcome;
import dev.incumbent.supervisor.SupervisorEvent;
import dev.incumbent.telling.Reasons;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * How one term ended for the command.
 *
 * @param lapsed the supervisor ended it since nobody renewed, whatever the library knew of it then
 * @param lost the leadership ended before the command did
 * @param lacking something was not to be had that may be had in another term
 * @param isRevoked the leadership ended after the command did, while what it left behind was ended
 * @param isCutShort the leadership ended after the command did, and before it should
 */
record TermEnd(
        Leadership leadership,
        Ending ending,
        boolean lost,
        boolean lapsed,
        boolean lacking,
        boolean isRevoked,
        boolean isCutShort) {
    private static final Set<String> HAS_RUN = Set.of("ended", "supervisor-died");

    static TermEnd of(Leadership leadership, SupervisedProcess.End end) {
        boolean lapsed = end.outcome().end() == RunOutcome.End.LAPSED;
        Ending ending = end.isLeadershipEnded()
                ? new Ending(
                        ExitCodes.LOST, "lost", token(leadership), end.outcome().childCode())
                : new Ending(
                        end.outcome().exitCode(),
                        reason(end),
                        token(leadership),
                        end.outcome().childCode(),
                        end.outcome().isInterrupted());
        boolean lost = end.isLeadershipEnded();
        return new TermEnd(leadership, ending, lost, lapsed, end.isForLack(), end.interrupted() && !lost, false);
    }

    /** The command was not started for that reason, though the leadership stood. */
    static TermEnd unstarted(Leadership leadership, int code, String reason) {
        Ending ending = Ending.of(code, reason);
        return new TermEnd(
                leadership,
                new Ending(code, reason, token(leadership), ending.childCode()),
                false,
                false,
                false,
                false,
                false);
    }

    /** The command was not started for lack of something that may be had in another term. */
    static TermEnd lacking(Leadership leadership, int code, String reason) {
        return new TermEnd(leadership, unstarted(leadership, code, reason).ending(), false, false, true, false, false);
    }

    /** Whether {@code --repeat} means that another term is wanted after this one. */
    boolean isWorthAnotherTry() {
        return lost || lacking;
    }

    /** The leadership ended before the command was started. */
    static TermEnd lostBeforeStart(Leadership leadership) {
        return new TermEnd(
                leadership,
                new Ending(
                        ExitCodes.LOST,
                        "lost",
                        token(leadership),
                        Ending.of(ExitCodes.LOST, "").childCode()),
                true,
                false,
                false,
                false,
                false);
    }

    /** Whether the command was started, and was gone before the leadership ended. */
    boolean hasRun() {
        return !lost && HAS_RUN.contains(ending.reason());
    }

    /** The same, where the leadership was to go on for a while, and did not. */
    TermEnd cutShort() {
        return new TermEnd(leadership, ending, lost, lapsed, lacking, isRevoked, true);
    }

    /** The ending, with the reason that the election library gives. */
    Ending because(Optional<EndReason> told) {
        boolean known = lost && !lapsed && told.isPresent();
        return known ? new Ending(ending.code(), Reasons.word(told.get()), ending.token(), ending.childCode()) : ending;
    }

    private static String reason(SupervisedProcess.End end) {
        if (end.outcome().end() == RunOutcome.End.DIED) {
            return "supervisor-died";
        }
        if (end.isForLack()) {
            return "no-resources";
        }
        return end.cause().equals(Optional.of(SupervisorEvent.Cause.NOEXEC)) ? "not-executed" : "ended";
    }

    private static OptionalLong token(Leadership leadership) {
        return OptionalLong.of(leadership.token().value());
    }
}
