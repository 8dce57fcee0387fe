package dev.incumbent.supervisor;

import java.util.OptionalInt;
import java.util.Set;

/**
 * How a run ends, as far as it is known, and the exit code that tells it. Immutable: each thing that happens gives the
 * next outcome.
 *
 * @param command what became of the command
 * @param end what became of its supervision
 * @param leadershipEnded whether the leadership ended while the command had not ended yet
 * @param typed whether the signal that killed the command may have come from the keyboard
 */
public record RunOutcome(CommandEnd command, End end, boolean leadershipEnded, boolean typed) {
    /** The leadership ended while the command ran, or before it could be started. */
    public static final int LEADERSHIP_ENDED = 79;

    /** An internal error, or the supervisor was killed. */
    public static final int INTERNAL = 70;

    private static final int NOT_EXECUTABLE = 126;
    private static final int NOT_FOUND = 127;
    private static final int SIGNAL = 128;
    private static final int ENOENT = 2;
    private static final int ENOTDIR = 20;

    /** EAGAIN, ENOMEM, ENFILE, EMFILE. */
    private static final Set<Integer> LACKING = Set.of(11, 12, 23, 24);

    /** What became of a command. */
    public sealed interface CommandEnd {
        /** It has not ended, or was never started. */
        record None() implements CommandEnd {}

        /** It could not be executed. */
        record NotExecuted(int errno) implements CommandEnd {
            /** For lack of memory, processes or open files, which says nothing about the command. */
            public boolean isForLack() {
                return LACKING.contains(errno);
            }
        }

        /** It returned. */
        record Exited(int code) implements CommandEnd {}

        /** A signal killed it. */
        record Signaled(int number) implements CommandEnd {}

        /** It was not started, since a signal came first. */
        record NotStarted(int signal) implements CommandEnd {}
    }

    /** What became of the supervision. */
    public enum End {
        /** It goes on. */
        NONE,
        /** Nothing is left, and the lease was good to the end of the command. */
        GONE,
        /** The lease ran out first. */
        LAPSED,
        /** The supervisor died, or the connection to it ended. */
        DIED
    }

    /** Nothing has happened. */
    public static RunOutcome none() {
        return new RunOutcome(new CommandEnd.None(), End.NONE, false, false);
    }

    /** What is known after one more event. */
    public RunOutcome after(SupervisorEvent event) {
        if (event instanceof SupervisorEvent.NotExecuted failed) {
            return ended(new CommandEnd.NotExecuted(failed.errno()));
        }
        if (event instanceof SupervisorEvent.Typed) {
            return new RunOutcome(command, end, leadershipEnded, true);
        }
        if (event instanceof SupervisorEvent.Exited exited) {
            return ended(new CommandEnd.Exited(exited.code()));
        }
        if (event instanceof SupervisorEvent.Signaled signaled) {
            return ended(new CommandEnd.Signaled(signaled.signal()));
        }
        if (event instanceof SupervisorEvent.Gone gone) {
            return over(
                    switch (gone.cause()) {
                        case DEADLINE -> End.LAPSED;
                        case WRAPPER -> End.DIED;
                        default -> End.GONE;
                    });
        }
        if (event instanceof SupervisorEvent.Died died) {
            return over(died.deadlinePassed() ? End.LAPSED : End.DIED);
        }
        return event instanceof SupervisorEvent.Refused ? over(End.LAPSED) : this;
    }

    /** The leadership ended. Changes nothing once the command has ended: it ended while still leading. */
    public RunOutcome afterLeadershipEnded() {
        boolean commandEnded = !(command instanceof CommandEnd.None);
        return commandEnded ? this : new RunOutcome(command, end, true, typed);
    }

    /** A signal came before the command was started. */
    public RunOutcome afterSignalBeforeStart(int signal) {
        return ended(new CommandEnd.NotStarted(signal));
    }

    private RunOutcome ended(CommandEnd how) {
        return new RunOutcome(how, end, leadershipEnded, typed);
    }

    private RunOutcome over(End how) {
        return new RunOutcome(command, how, leadershipEnded, typed);
    }

    /** The exit code of {@code incumbent run}, once {@link #end} is known or nothing was started. */
    public int exitCode() {
        if (command instanceof CommandEnd.NotStarted before) {
            return SIGNAL + before.signal();
        }
        if (command instanceof CommandEnd.NotExecuted failed) {
            if (failed.isForLack()) {
                return INTERNAL;
            }
            boolean notFound = failed.errno() == ENOENT || failed.errno() == ENOTDIR;
            return notFound ? NOT_FOUND : NOT_EXECUTABLE;
        }
        if (leadershipEnded || end == End.LAPSED) {
            return LEADERSHIP_ENDED;
        }
        return end == End.DIED ? INTERNAL : childCode().orElse(INTERNAL);
    }

    /**
     * Whether Ctrl-C has ended the command, so that the wrapper shall end by {@link SignalRelay#INT} itself: a shell that waits for it goes on with its
     * loop or script after an exit code of 130, and gives up, as it does for every command, where the signal has killed it.
     */
    public boolean isInterrupted() {
        return typed && exitCode() == SIGNAL + SignalRelay.INT;
    }

    /** The command's own code, or 128 and the signal that killed it; empty if it did not run to an end. */
    public OptionalInt childCode() {
        if (command instanceof CommandEnd.Exited exited) {
            return OptionalInt.of(exited.code());
        }
        return command instanceof CommandEnd.Signaled signaled
                ? OptionalInt.of(SIGNAL + signaled.number())
                : OptionalInt.empty();
    }
}
