package dev.incumbent.simulation;

import dev.incumbent.simulation.Fault.Kind;
import java.util.EnumSet;
import java.util.Set;

/** Until when each machine is troubled by what may keep its process from renewing its lease; what only users' code does, sinks or the watch is no such trouble. */
final class Troubles {
    private static final Set<Kind> HARMLESS = EnumSet.of(
            Kind.STUBBORN_TASK,
            Kind.FAILING_TASK,
            Kind.FAILING_TASKS,
            Kind.UNHEALTHY,
            Kind.RESIGN,
            Kind.TRANSFER,
            Kind.SUSPECT,
            Kind.WITHDRAW,
            Kind.FREEZE,
            Kind.TYPO,
            Kind.OPERATOR_TRANSFER,
            Kind.LISTENERS_THROW,
            Kind.USER_CODE_BLOCKS,
            Kind.NO_THREAD,
            Kind.UNWELL_WHILE_CLAIMING,
            Kind.STAND_AGAIN,
            Kind.CUT_FROM_SINKS,
            Kind.ONE_SINK_UNHEARD,
            Kind.SINK_BACK,
            Kind.WATCH_SILENT,
            Kind.CLOCK_RATE,
            Kind.DOUBLE,
            Kind.PREEMPTED_UNHEARD,
            Kind.HEARD,
            Kind.CORDON,
            Kind.PLANNED_TRANSFER,
            Kind.MOVES);

    private static final Set<Kind> OF_ONE_NODE = EnumSet.of(
            Kind.PAUSE,
            Kind.CRASH,
            Kind.PRIORITY,
            Kind.CUT,
            Kind.CUT_REQUESTS,
            Kind.CUT_REPLIES,
            Kind.SLOW,
            Kind.LOSSY,
            Kind.SUSPEND,
            Kind.WALL_STEP,
            Kind.STARVED_DRIVER,
            Kind.CALLS_FAIL,
            Kind.CALLS_THROW);

    private final long[] until;

    Troubles(int nodes) {
        this.until = new long[nodes];
    }

    void happen(Fault fault, int node) {
        if (HARMLESS.contains(fault.kind())) {
            return;
        }
        long end = fault.atNanos() + 2 * fault.lengthNanos();
        for (int i = 0; i < until.length; i++) {
            if (i == node || !OF_ONE_NODE.contains(fault.kind())) {
                until[i] = Math.max(until[i], end);
            }
        }
    }

    void everywhereUntil(long time) {
        for (int i = 0; i < until.length; i++) {
            until[i] = Math.max(until[i], time);
        }
    }

    long until(Node node) {
        return until[node.index()];
    }
}
