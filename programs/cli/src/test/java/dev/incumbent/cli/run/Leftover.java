package dev.incumbent.cli.run;

import java.nio.file.Path;

/**
 * A process that a command leaves behind. It freezes its supervisor when that asks it to end: so what a test does then comes between the end of the
 * command and the end of all, however slow the machine is.
 */
final class Leftover {
    private final Path begun;
    private final Path asked;

    Leftover(Path folder) {
        this.begun = folder.resolve("leftover-begun");
        this.asked = folder.resolve("leftover-asked");
    }

    /** The beginning of a script for {@code sh -c}, whose parent is the supervisor. */
    String line() {
        return "setsid sh -c 'trap \"kill -STOP $0; echo >> " + asked + "\" TERM; echo >> " + begun
                + "; while :; do sleep 0.02; done' $PPID & while [ ! -s " + begun + " ]; do sleep 0.02; done; ";
    }

    /** Returns once the command has ended and the supervisor is frozen. */
    void awaitAsked() {
        RunProcess.awaitLines(asked, 1);
    }

    void thaw(RunProcess run) {
        run.supervisors().forEach(pid -> RunProcess.signal("CONT", pid));
    }
}
