package dev.incumbent.internal;

import dev.incumbent.Candidacy;
import dev.incumbent.Election;
import dev.incumbent.LeaderListener;
import dev.incumbent.LeaderTask;
import dev.incumbent.Observation;
import dev.incumbent.TermListener;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import java.util.ArrayList;
import java.util.List;

/** An election of this process before it stands. */
record Unopened(ElectionRuntime runtime, Ports ports, ElectionName name, List<Sink> guarded) implements Election {
    @Override
    public Election guarding(Sink... sinks) {
        List<Sink> all = new ArrayList<>(guarded);
        all.addAll(List.of(sinks));
        return new Unopened(runtime, ports, name, List.copyOf(all));
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
        return runtime.campaign(name, guarded, (leadership, driver) -> TermRun.ASKED);
    }

    @Override
    public Candidacy campaign(TermListener listener) {
        return runtime.campaign(
                name, guarded, (leadership, driver) -> new HeardRun(listener, true, leadership, driver));
    }
}
