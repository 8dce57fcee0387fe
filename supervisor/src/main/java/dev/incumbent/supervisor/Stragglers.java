package dev.incumbent.supervisor;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Kills, without a supervisor, what a command has started: by the tree below a supervisor that sleeps, and by the mark
 * in the environment. One that has left the tree <em>and</em> dropped its environment escapes. Threads: any.
 */
final class Stragglers {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** A process that is just being executed shows an empty environment for a moment. */
    private static final int CLEAN_ROUNDS = 2;

    private final RunMark mark;

    Stragglers(RunMark mark) {
        this.mark = mark;
    }

    /** Returns once no process carries the mark, or is in the command's process group (0: no group is looked for). */
    void killMarked(long group) {
        for (int clean = 0; clean < CLEAN_ROUNDS; ) {
            boolean found = false;
            for (ProcessEntry process : candidates(group)) {
                if (isOurs(process, group)) {
                    killWithDescendants(process);
                    found = true;
                }
            }
            clean = found ? 0 : clean + 1;
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static void killWithDescendants(ProcessEntry process) {
        List<ProcessEntry> descendants = process.descendants(); // they are nobody's once it is dead
        process.kill();
        for (ProcessEntry descendant : descendants) {
            descendant.kill();
        }
    }

    /** Does once, before there is need and without killing anyone, all that killing takes: what a JVM has done once it does faster. */
    void rehearse() {
        long nobody = Long.MAX_VALUE;
        for (ProcessEntry process : candidates(nobody)) {
            isOurs(process, nobody);
        }
        new ProcessEntry(ProcessHandle.current().pid()).descendants();
        killWithDescendants(new ProcessEntry(nobody));
    }

    /** Those that came after the command first: among them are most of its descendants. */
    private static List<ProcessEntry> candidates(long group) {
        List<ProcessEntry> all = ProcessEntry.allFrom(group);
        all.remove(new ProcessEntry(ProcessHandle.current().pid()));
        return all;
    }

    private boolean isOurs(ProcessEntry process, long group) {
        if (mark.isIn(process.environment())) {
            return true;
        }
        return group > 0 && process.group().equals(Optional.of(group));
    }

    /**
     * Kills all below a supervisor that sleeps, and leaves it alone: even asleep it adopts every orphan, so that none
     * gets away while it lives. Gives up after some rounds, since the mark is looked for next.
     */
    void killBelow(ProcessHandle supervisor) {
        for (int round = 0; round < 200 && supervisor.isAlive(); round++) {
            List<ProcessEntry> living = new ProcessEntry(supervisor.pid())
                    .descendants().stream().filter(ProcessEntry::isAlive).toList();
            if (living.isEmpty()) {
                return;
            }
            living.forEach(ProcessEntry::kill);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
