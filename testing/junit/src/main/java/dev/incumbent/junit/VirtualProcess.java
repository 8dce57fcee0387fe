package dev.incumbent.junit;

import dev.incumbent.Election;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.Wire;
import dev.incumbent.fence.Sink;
import dev.incumbent.internal.Ears;
import dev.incumbent.internal.ElectionRuntime;
import dev.incumbent.internal.ProcessSetup;
import dev.incumbent.internal.TaskRunner;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Timing;
import dev.incumbent.simulation.Agenda;
import dev.incumbent.simulation.DriftingClock;
import dev.incumbent.simulation.ProcessPlatform;
import java.util.ArrayList;
import java.util.List;

/** One start of a candidate's process: the shipped library over the world's network, until it dies. */
final class VirtualProcess implements ProcessPlatform.SimulatedProcess {
    private static final int WATCHES_ASKED_EVERY = 6;

    private final Machine machine;
    private final ProcessPlatform platform = new ProcessPlatform(this);
    private final Coordinator coordinator;
    private final List<VirtualTask> tasks = new ArrayList<>();
    private boolean alive = true;

    VirtualProcess(Machine machine, int incarnation) {
        this.machine = machine;
        Timing timing = world().timing();
        this.coordinator = MemoryCoordinator.connect(
                world().coordinator(),
                new Way(),
                platform.timeline(),
                timing.requestTimeout(),
                timing.requestTimeout().multipliedBy(WATCHES_ASKED_EVERY));
        CandidateId id = CandidateId.of(machine.name(), machine.name(), incarnation, "r" + incarnation);
        Election election = ElectionRuntime.start(
                        coordinator,
                        new ProcessSetup(new Candidate(id, machine.name(), ""), timing),
                        platform,
                        Ears.NONE)
                .election(VirtualWorld.ELECTION);
        Sink[] sinks =
                world().sinks().stream().map(sink -> new LinkedSink(this, sink)).toArray(Sink[]::new);
        election.guarding(sinks).campaign(machine.task());
    }

    Machine machine() {
        return machine;
    }

    VirtualWorld world() {
        return machine.world();
    }

    String name() {
        return machine.name();
    }

    ProcessPlatform platform() {
        return platform;
    }

    void began(VirtualTask task) {
        tasks.add(task);
    }

    /** The task that leads; empty where none does. */
    List<VirtualTask> leading() {
        return tasks.stream().filter(VirtualTask::leads).toList();
    }

    /** It is gone, and so are its connections. */
    void die() {
        alive = false;
        coordinator.close();
        tasks.forEach(VirtualTask::die);
    }

    @Override
    public Agenda agenda() {
        return world().agenda();
    }

    @Override
    public DriftingClock clock() {
        return machine.clock();
    }

    @Override
    public boolean isAlive() {
        return alive;
    }

    @Override
    public TaskRunner tasks() {
        return (task, leadership, returned) -> new VirtualTask(this, task, leadership, returned);
    }

    /** To the coordinator and back. */
    private final class Way implements Wire {
        @Override
        public void toStore(Runnable arrival) {
            machine.toCoordinator().carry(arrival);
        }

        @Override
        public void toClient(Runnable arrival) {
            machine.fromCoordinator()
                    .carry(() -> clock().whenAwake(() -> {
                        if (alive) {
                            arrival.run();
                        }
                    }));
        }
    }
}
