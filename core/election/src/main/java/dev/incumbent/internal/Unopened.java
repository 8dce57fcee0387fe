package dev.incumbent.internal;

import dev.incumbent.Candidacy;
import dev.incumbent.Election;
import dev.incumbent.LeaderListener;
import dev.incumbent.LeaderTask;
import dev.incumbent.Observation;
import dev.incumbent.Stonith;
import dev.incumbent.TermListener;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;

/** An election of this process before it stands. */
record Unopened(ElectionRuntime runtime, Ports ports, ElectionName name, Safeguards guarded) implements Election {
    @Override
    public Election guarding(Sink... sinks) {
        return new Unopened(runtime, ports, name, guarded.guarding(sinks));
    }

    @Override
    public Election withStonith(Stonith how) {
        return new Unopened(runtime, ports, name, guarded.with(how));
    }

    @Override
    public Candidacy campaign(LeaderTask task) {
        return runtime.campaign(name, guarded, (leadership, driver) -> new TaskRun(task, leadership, driver, ports));
    }

    @Override
    public Candidacy campaign(LeaderTask task, TermListener listener) {
        return runtime.campaign(
                name,
                guarded,
                (leadership, driver) -> new BothRun(
                        new TaskRun(task, leadership, driver, ports),
                        new HeardRun(listener, false, leadership, driver)));
    }

    @Override
    public Observation observe(LeaderListener listener) {
        return runtime.observe(name, listener);
    }

    @Override
    public Candidacy campaign() {
        requireATask();
        return runtime.campaign(name, guarded, (leadership, driver) -> TermRun.ASKED);
    }

    @Override
    public Candidacy campaign(TermListener listener) {
        requireATask();
        return runtime.campaign(
                name, guarded, (leadership, driver) -> new HeardRun(listener, true, leadership, driver));
    }

    /** Without a task nobody knows when the work has stopped, so the record could not say that a holder acts no more. */
    private void requireATask() {
        if (guarded.stonith().isPresent()) {
            throw new IllegalStateException("a candidacy in " + name
                    + " with STONITH needs a task, whose return says that the work has stopped: call"
                    + " campaign(LeaderTask)");
        }
    }
}
