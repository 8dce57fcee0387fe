package dev.incumbent.lab.contender;

import dev.incumbent.Candidacy;
import dev.incumbent.Election;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.internal.Ears;
import dev.incumbent.internal.ElectionRuntime;
import dev.incumbent.internal.ProcessSetup;
import dev.incumbent.internal.TaskRunner;
import dev.incumbent.lab.world.Contender;
import dev.incumbent.lab.world.LabMember;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Timing;
import dev.incumbent.simulation.ProcessPlatform;
import java.util.Optional;
import java.util.OptionalLong;

/** The shipped library on one member, over a store in memory, with a sink to guard or without. */
final class LeaseContender implements Contender {
    static final ElectionName ELECTION = new ElectionName("job");
    private static final int WATCHES_ASKED_EVERY = 6;

    private final LabMember member;
    private final MemoryStore store;
    private final Timing timing;
    private final CountedWire.AtTheStore atTheStore;
    private final boolean fenced;
    private Optional<Coordinator> connection = Optional.empty();
    private Optional<ElectionRuntime> runtime = Optional.empty();
    private Optional<Candidacy> candidacy = Optional.empty();
    private Optional<WorkRun> run = Optional.empty();

    LeaseContender(
            LabMember member, MemoryStore store, CountedWire.AtTheStore atTheStore, Timing timing, boolean fenced) {
        this.member = member;
        this.store = store;
        this.atTheStore = atTheStore;
        this.timing = timing;
        this.fenced = fenced;
    }

    @Override
    public void start() {
        CountedWire wire = new CountedWire(member, atTheStore);
        ProcessPlatform platform = new ProcessPlatform(new ContenderProcess(member, this));
        Coordinator coordinator = new CountedCoordinator(
                MemoryCoordinator.connect(
                        store,
                        wire,
                        platform.timeline(),
                        timing.requestTimeout(),
                        timing.requestTimeout().multipliedBy(WATCHES_ASKED_EVERY)),
                wire);
        connection = Optional.of(coordinator);
        ElectionRuntime started =
                ElectionRuntime.start(coordinator, new ProcessSetup(candidate(member), timing), platform, Ears.NONE);
        runtime = Optional.of(started);
        Election election = started.election(ELECTION);
        if (fenced) {
            election = election.guarding(new ContenderSink(member));
        }
        candidacy = Optional.of(election.campaign(leadership -> {}));
    }

    private static Candidate candidate(LabMember of) {
        String name = of.id().value();
        CandidateId id = CandidateId.of(name, "host-" + name, of.incarnation(), "r" + of.incarnation());
        return new Candidate(id, name, "");
    }

    /** The store drops the watches of a connection that is broken. */
    @Override
    public void die() {
        connection.ifPresent(Coordinator::close);
        connection = Optional.empty();
        runtime = Optional.empty();
        candidacy = Optional.empty();
        run = Optional.empty();
    }

    @Override
    public void leave(Runnable done) {
        runtime.ifPresent(closing -> closing.closeAsync().thenRun(done));
    }

    @Override
    public long believesUntil() {
        return run.map(WorkRun::holdsUntil).orElse(Long.MIN_VALUE);
    }

    @Override
    public boolean canHandOver() {
        return true;
    }

    @Override
    public void handOver(LabMember successor) {
        candidacy.ifPresent(leading -> leading.transferTo(candidate(successor).id()));
    }

    @Override
    public void refused(long token, long inForce) {
        run.ifPresent(leading -> leading.leadership.reportStale(
                new StaleTokenException(ELECTION, leading.leadership.token(), Long.toString(inForce))));
    }

    /** The driver has run: what the guard says may have changed. */
    void driven() {
        if (member.isUp()) {
            member.beliefChanged();
        }
    }

    TaskRunner.Run taskOf(Leadership leadership, TaskRunner.Returned returned) {
        return new WorkRun(leadership, returned);
    }

    /** The work of one term. */
    private final class WorkRun implements TaskRunner.Run {
        private final Leadership leadership;
        private final TaskRunner.Returned returned;
        private boolean interrupted;

        WorkRun(Leadership leadership, TaskRunner.Returned returned) {
            this.leadership = leadership;
            this.returned = returned;
        }

        @Override
        public void start() {
            run = Optional.of(this);
            member.begins(fenced ? OptionalLong.of(leadership.token().value()) : OptionalLong.empty());
        }

        @Override
        public void interrupt() {
            if (!interrupted) {
                interrupted = true;
                member.ends(() -> {
                    run = Optional.empty();
                    member.beliefChanged();
                    returned.accept(Optional.empty());
                });
            }
        }

        long holdsUntil() {
            return leadership.holds()
                    ? member.clock().nanos() + leadership.remaining().toNanos()
                    : Long.MIN_VALUE;
        }
    }
}
