package dev.incumbent.supervisor;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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

    /** Returns once no process carries the mark, or is in the given group (0: no group is looked for). */
    void killMarked(long group) {
        for (int clean = 0; clean < CLEAN_ROUNDS; ) {
            Set<ProcessEntry> found = marked(group);
            found.forEach(ProcessEntry::kill);
            clean = found.isEmpty() ? clean + 1 : 0;
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Looks as {@link #killMarked} does and kills nothing: what was done once is done faster in need. */
    int rehearse(long group) {
        return marked(group).size();
    }

    private Set<ProcessEntry> marked(long group) {
        long self = ProcessHandle.current().pid();
        Set<ProcessEntry> found = new LinkedHashSet<>();
        for (ProcessEntry process : ProcessEntry.all()) {
            if (process.pid() != self && isOurs(process, group)) {
                found.add(process);
                found.addAll(process.descendants());
            }
        }
        found.removeIf(process -> !process.isAlive());
        return found;
    }

    private boolean isOurs(ProcessEntry process, long group) {
        if (mark.isIn(process.environment())) {
            return true;
        }
        return group > 0 && process.group().map(its -> its == group).orElse(false);
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
