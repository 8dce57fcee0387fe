package dev.incumbent.lab.contender;

import dev.incumbent.lab.contender.PeerMachines.PeerMachine;
import dev.incumbent.lab.world.Contender;
import dev.incumbent.lab.world.LabMember;
import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.PeerEffect;
import dev.incumbent.peers.PeerEvent;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import dev.incumbent.time.Timeline;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** One member of a bully or a ring. It has no token and no lease: it leads until it hears otherwise. */
final class PeerContender<S, M> implements Contender {
    private final LabMember member;
    private final PeerMachine<S, M> machine;
    private final Map<MemberId, PeerContender<S, M>> others;
    private S state;
    private boolean leads;
    private Optional<Timeline.Alarm> wake = Optional.empty();

    /** All contenders of a group share the map, in which each enters itself. */
    PeerContender(LabMember member, PeerMachine<S, M> machine, Map<MemberId, PeerContender<S, M>> others) {
        this.member = member;
        this.machine = machine;
        this.others = others;
        this.state = machine.start();
        others.put(member.id(), this);
    }

    @Override
    public void start() {
        step(new PeerEvent.Started<>());
    }

    @Override
    public void die() {
        state = machine.start();
        leads = false;
        wake.ifPresent(Timeline.Alarm::cancel);
    }

    @Override
    public long believesUntil() {
        return leads ? Long.MAX_VALUE : Long.MIN_VALUE;
    }

    private void step(PeerEvent<M> event) {
        boolean before = machine.isElecting(state);
        Step<S, PeerEffect<M>> step =
                machine.step(state, event, new Moment(member.clock().nanos(), 0));
        state = step.state();
        step.effects().forEach(this::perform);
        if (machine.isElecting(state) && !before) {
            member.suspects();
        }
        wake.ifPresent(Timeline.Alarm::cancel);
        if (step.wakeAtNanos() != Step.NEVER) {
            wake = Optional.of(member.at(
                    Math.max(step.wakeAtNanos(), member.clock().nanos() + 1), () -> step(new PeerEvent.Woken<>())));
        }
    }

    private void perform(PeerEffect<M> effect) {
        if (effect instanceof PeerEffect.Send<M> send) {
            PeerContender<S, M> to = Optional.ofNullable(others.get(send.to())).orElseThrow();
            member.send(
                    to.member,
                    machine.kindOf(send.message()),
                    machine.labelOf(send.message()),
                    () -> to.step(new PeerEvent.Received<>(member.id(), send.message())));
        } else if (effect instanceof PeerEffect.BeginLeading<M>) {
            leads = true;
            member.begins(OptionalLong.empty());
        } else if (effect instanceof PeerEffect.StopLeading<M>) {
            leads = false;
            member.ends(() -> {});
        }
    }
}
