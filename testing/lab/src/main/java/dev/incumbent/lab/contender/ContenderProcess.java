package dev.incumbent.lab.contender;

import dev.incumbent.internal.Machines;
import dev.incumbent.internal.TaskRunner;
import dev.incumbent.lab.world.LabMember;
import dev.incumbent.protocol.ElectionProtocol;
import dev.incumbent.protocol.Setup;
import dev.incumbent.simulation.Agenda;
import dev.incumbent.simulation.DriftingClock;
import dev.incumbent.simulation.ProcessPlatform;

/** What the shipped driver runs on in the lab: one process of a member, until it dies. */
final class ContenderProcess implements ProcessPlatform.SimulatedProcess {
    private final LabMember member;
    private final LeaseContender contender;
    private final long incarnation;

    ContenderProcess(LabMember member, LeaseContender contender) {
        this.member = member;
        this.contender = contender;
        this.incarnation = member.incarnation();
    }

    @Override
    public Agenda agenda() {
        return member.world().agenda();
    }

    @Override
    public DriftingClock clock() {
        return member.clock();
    }

    @Override
    public boolean isAlive() {
        return member.isUp() && member.incarnation() == incarnation;
    }

    @Override
    public TaskRunner tasks() {
        return (task, leadership, returned) -> contender.taskOf(leadership, returned);
    }

    @Override
    public void driven() {
        contender.driven();
    }

    @Override
    public Machines machines() {
        return new Machines() {
            @Override
            public OfElection election(Setup setup) {
                ElectionProtocol shipped = new ElectionProtocol(setup);
                return (state, event, now) -> {
                    var step = shipped.step(state, event, now);
                    if (isAlive()
                            && state.attempt().isEmpty()
                            && step.state().attempt().isPresent()) {
                        member.suspects();
                    }
                    return step;
                };
            }
        };
    }
}
