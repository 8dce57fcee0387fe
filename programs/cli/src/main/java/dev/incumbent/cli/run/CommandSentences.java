package dev.incumbent.cli.run;

import dev.incumbent.supervisor.SupervisorEvent;

/** What people are told about a command that cannot be killed, or not as a whole. */
final class CommandSentences {
    private static final int EPERM = 1;
    private static final int ENOENT = 2;
    private static final int EACCES = 13;
    private static final int ENOTDIR = 20;
    private static final int EROFS = 30;
    private static final int ENOSYS = 38;

    private CommandSentences() {}

    /** Who is left running, what to do about it, and what holds meanwhile. */
    static String of(SupervisorEvent.Denied denied, boolean isFenced) {
        String process = "process " + denied.pid() + (denied.name().isEmpty() ? "" : " (" + denied.name() + ")");
        String owner = denied.user().isEmpty()
                ? "another user"
                : denied.user().getAsLong() == 0
                        ? "root"
                        : "user " + denied.user().getAsLong();
        String ends = denied.user().isEmpty() ? "root" : owner;
        String meanwhile = isFenced
                ? "if the leadership ends before it does, the sinks refuse its writes"
                : "nobody else leads before it has ended, unless the lease is lost";
        return process + " runs as " + owner + ", and this run may not signal it; end it as " + ends + ": kill "
                + denied.pid() + "; " + meanwhile;
    }

    /** Why there is no control group below the folder that the user has named. */
    static String of(SupervisorEvent.Unconfined lack, String folder) {
        String why = switch (lack.errno()) {
            case EPERM, EACCES -> "this user may not make one there, or not move a process from its own group there";
            case ENOENT, ENOTDIR -> "there is no such folder";
            case EROFS -> "it is mounted read-only";
            case ENOSYS -> "it is no cgroup of version 2, or the kernel is older than 5.14";
            default -> "errno " + lack.errno();
        };
        return "no control group can be used below " + folder + ": " + why + "; the command runs without one";
    }
}
