package dev.incumbent.supervisor;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Kills, without a supervisor, what a command has started: by the tree below a supervisor that sleeps, and by the mark
 * in the environment. One that has left the tree <em>and</em> dropped its environment escapes. Threads: any.
 */
final class Stragglers {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Where nothing is left but what may not be killed by us. */
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** A process that is just being executed shows an empty environment for a moment. */
    private static final int CLEAN_ROUNDS = 2;

    /** What killing by hand takes, in terms of what it takes to look at the same processes once. */
    private static final long KILL_PER_LOOK = 4;

    private static final long ALWAYS_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final RunMark mark;

    Stragglers(RunMark mark) {
        this.mark = mark;
    }

    /**
     * Returns once no process carries the mark, or is in the command's control group or process group (0: no such group is looked for). A process that
     * may not be killed by us is told to {@code denied}, once, and waited for.
     */
    void killMarked(long group, Optional<ControlGroup> cgroup, Consumer<ProcessEntry> denied) {
        Set<ProcessEntry> spared = new HashSet<>();
        long pause = PAUSE_NANOS;
        for (int clean = 0; clean < CLEAN_ROUNDS; ) {
            cgroup.ifPresent(ControlGroup::kill);
            boolean found = cgroup.isPresent() && cgroup.get().isPopulated();
            boolean killed = found;
            for (ProcessEntry process : candidates(group)) {
                if (isOurs(process, group)) {
                    found = true;
                    boolean isSpared = !killWithDescendants(process);
                    killed |= !isSpared;
                    if (isSpared && spared.add(process)) {
                        denied.accept(process);
                    }
                }
            }
            clean = found ? 0 : clean + 1;
            pause = killed || !found ? PAUSE_NANOS : Math.min(2 * pause, LONGEST_PAUSE_NANOS);
            LockSupport.parkNanos(pause);
        }
    }

    /** False if the process lives and may not be killed by us. */
    private static boolean killWithDescendants(ProcessEntry process) {
        List<ProcessEntry> descendants = process.descendants(); // they are nobody's once it is dead
        boolean killed = process.kill();
        descendants.forEach(ProcessEntry::kill);
        return killed || !process.isAlive();
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

    /** About how long {@link #killBelow} would take. */
    static long costBelow(ProcessHandle supervisor, LongSupplier nanos) {
        long began = nanos.getAsLong();
        new ProcessEntry(supervisor.pid()).descendants();
        return ALWAYS_NANOS + KILL_PER_LOOK * (nanos.getAsLong() - began);
    }

    /**
     * Kills all below a supervisor that sleeps, and leaves it alone: even asleep it adopts every orphan, so that none
     * gets away while it lives. Gives up after some rounds, since the mark is looked for next.
     */
    static void killBelow(ProcessHandle supervisor) {
        Set<ProcessEntry> dead = new HashSet<>(); // zombies, which nobody reaps while it sleeps
        for (int round = 0; round < 200 && supervisor.isAlive(); round++) {
            List<ProcessEntry> living = new ProcessEntry(supervisor.pid()).descendantsBut(dead);
            living.forEach(ProcessEntry::kill);
            living.stream().filter(process -> !process.isAlive()).forEach(dead::add);
            if (dead.containsAll(living)) {
                return;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
