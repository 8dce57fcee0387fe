package dev.incumbent.supervisor;

import java.util.OptionalLong;

/** What a supervisor tells of its command, in the order in which it happened. */
public sealed interface SupervisorEvent {
    /** There is a process for the command; it has not been executed yet. */
    record Forked(long pid) implements SupervisorEvent {}

    /** The command was executed. */
    record Started() implements SupervisorEvent {}

    /** There could be no process for the command, or it could not be executed; {@link Gone} follows. */
    record NotExecuted(int errno) implements SupervisorEvent {}

    /** The command was not started, since {@code stopAt} had passed. The supervisor goes on. */
    record Refused() implements SupervisorEvent {}

    /** The command sleeps by job control. */
    record Stopped(int signal) implements SupervisorEvent {}

    /** The command returned; what it left behind is being ended. */
    record Exited(int code) implements SupervisorEvent {}

    /** The command was killed; what it left behind is being ended. */
    record Signaled(int signal) implements SupervisorEvent {}

    /** The keyboard may have sent the signal that killed the command; {@link Signaled} follows. */
    record Typed(int signal) implements SupervisorEvent {}

    /**
     * A process that changed its user may not be signalled by us. Told once for each.
     *
     * @param user the number of the user as whom it runs; empty if the process is hidden from us, as its name then is
     * @param name as the kernel calls it, cut to fifteen characters that can be printed; may be empty
     */
    record Denied(long pid, OptionalLong user, String name) implements SupervisorEvent {}

    /** The command has a control group of its own, in that folder. */
    record Confined(String folder) implements SupervisorEvent {}

    /** There is no control group for the command. Where none had to be, this is as good. */
    record Unconfined(int errno) implements SupervisorEvent {}

    /** Nothing is left of the command and its descendants. The last event. */
    record Gone(Cause cause) implements SupervisorEvent {}

    /**
     * The supervisor died, or had to be ended since it slept; its command and all that carries its mark have been
     * ended by hand. The last event, in place of {@link Gone}.
     *
     * @param deadlinePassed whether that came after the last {@code killAt} it had acknowledged
     */
    record Died(boolean deadlinePassed) implements SupervisorEvent {}

    /** Why a command is gone. */
    enum Cause {
        /** It ended by itself. */
        SELF,
        /** By {@link Supervisor#stop}. */
        ASKED,
        /** By {@link Supervisor#kill}. */
        KILLED,
        /** Its lease was not renewed. */
        DEADLINE,
        /** It could not be executed. */
        NOEXEC,
        /** The connection ended on this side, or this side was not understood. */
        WRAPPER
    }
}
