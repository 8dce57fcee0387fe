package dev.incumbent.benchmarks.many;

import dev.incumbent.Candidacy;
import dev.incumbent.Election;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.Trace;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** This library, over whatever coordinator a URI names: its offices are asked, or have a task each. */
final class IncumbentHolder implements Holder, Trace {
    private final SystemTimeline timeline = new SystemTimeline();
    private final Coordinator coordinator;
    private final Elections elections;
    private final boolean tasks;
    private final List<Candidacy> candidacies = new ArrayList<>();
    private final AtomicInteger held = new AtomicInteger();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();

    IncumbentHolder(String uri, Duration lease, boolean tasks) {
        this.tasks = tasks;
        Timing timing = Timing.ofLease(lease);
        coordinator = CoordinatorProvider.of(uri).open(uri, timeline, timing.requestTimeout(), Mode.CREATE);
        elections = Elections.over(coordinator)
                .name("holder")
                .timing(timing)
                .timeline(timeline)
                .trace(this)
                .quiet()
                .open();
    }

    @Override
    public void standFor(String office) {
        Election election = elections.election(office);
        candidacies.add(tasks ? election.campaign(IncumbentHolder::lead) : election.campaign());
    }

    /** As small a task as there is: it waits to be stopped. */
    private static void lead(Leadership leadership) {
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.park(leadership);
        }
    }

    /** Counts as it is told; once all are told, asks each. */
    @Override
    public int held() {
        int told = held.get();
        return told < candidacies.size()
                ? told
                : (int) candidacies.stream()
                        .filter(one -> one.leadership().isPresent())
                        .count();
    }

    @Override
    public void stepped(ElectionName election, Event event, Step<ElectionState, Effect> step, Moment at) {
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.BeginTerm) {
                begun.incrementAndGet();
                held.incrementAndGet();
            } else if (effect instanceof Effect.EndTerm) {
                held.decrementAndGet();
            }
        }
    }

    @Override
    public void failed(String what, Throwable why) {
        failures.incrementAndGet();
    }

    @Override
    public Map<String, String> remarks() {
        return Map.of("terms", Integer.toString(begun.get()), "failures", Integer.toString(failures.get()));
    }

    @Override
    public void close() {
        elections.close();
        coordinator.close();
        timeline.close();
    }
}
