package dev.incumbent.coordinator.peers;

import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.PeerEffect;
import dev.incumbent.peers.PeerEvent;
import dev.incumbent.peers.PeerGroup;
import dev.incumbent.peers.PeerTiming;
import dev.incumbent.peers.bully.BullyMessage;
import dev.incumbent.peers.bully.BullyProtocol;
import dev.incumbent.peers.bully.BullyState;
import dev.incumbent.peers.raft.RaftDisk;
import dev.incumbent.peers.ring.RingForm;
import dev.incumbent.peers.ring.RingMessage;
import dev.incumbent.peers.ring.RingProtocol;
import dev.incumbent.peers.ring.RingState;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.util.Optional;
import java.util.function.Function;

/**
 * A member of a bully or a ring. The number of a term counts the leaderships of this process, and is no token. While it is not able, it is as if its process had ended.
 *
 * @param <S> the machine's state
 * @param <M> its messages
 */
final class TokenlessMember<S, M> implements MemberMachine {
    private final Protocol<S, M> protocol;
    private final S start;
    private final Function<S, Optional<MemberId>> leader;
    private final MessageCodec<M> codec;
    private final MemberActions actions;
    private S state;
    private long wakeAt = Step.NEVER;
    private long led;
    private boolean leads;
    private boolean isUp;

    /** The step of a machine. */
    @FunctionalInterface
    interface Protocol<S, M> {
        Step<S, PeerEffect<M>> step(S state, PeerEvent<M> event, Moment now);
    }

    private TokenlessMember(
            Protocol<S, M> protocol,
            S start,
            Function<S, Optional<MemberId>> leader,
            MessageCodec<M> codec,
            MemberActions actions) {
        this.protocol = protocol;
        this.leader = leader;
        this.start = start;
        this.state = start;
        this.codec = codec;
        this.actions = actions;
    }

    static MemberMachine bully(PeerGroup group, PeerTiming timing, MemberActions actions) {
        BullyProtocol protocol = new BullyProtocol(group, timing);
        return new TokenlessMember<BullyState, BullyMessage>(
                protocol::step, BullyState.START, BullyState::leader, new BullyCodec(), actions);
    }

    static MemberMachine ring(PeerGroup group, PeerTiming timing, MemberActions actions) {
        RingProtocol protocol = new RingProtocol(group, timing, RingForm.GREATEST);
        return new TokenlessMember<RingState, RingMessage>(
                protocol::step, RingState.START, RingState::leader, new RingCodec(), actions);
    }

    @Override
    public void started(Optional<RaftDisk> disk, Moment now) {
        isUp = true;
        step(new PeerEvent.Started<>(), now);
    }

    @Override
    public void received(MemberId from, byte[] message, Moment now) throws MessageException {
        step(new PeerEvent.Received<>(from, codec.read(message)), now);
    }

    @Override
    public void woken(Moment now) {
        step(new PeerEvent.Woken<>(), now);
    }

    @Override
    public void transferAsked(MemberId successor, Moment now) {
        // The greatest member leads, whatever anybody asks.
    }

    /** Neither protocol waits for a task. */
    @Override
    public void stopped(long term, Moment now) {}

    @Override
    public void refused(long term, long inForce, Moment now) {
        throw new IllegalStateException("no sink is raised by a number that is no token");
    }

    @Override
    public void setAble(boolean isAble, Moment now) {
        if (isUp == isAble) {
            return;
        }
        if (isAble) {
            started(Optional.empty(), now);
            return;
        }
        isUp = false;
        state = start;
        wakeAt = Step.NEVER;
        if (leads) {
            leads = false;
            actions.stop(led);
        }
    }

    private void step(PeerEvent<M> event, Moment now) {
        if (!isUp) {
            return;
        }
        Step<S, PeerEffect<M>> step = protocol.step(state, event, now);
        state = step.state();
        wakeAt = step.wakeAtNanos();
        step.effects().forEach(this::perform);
    }

    private void perform(PeerEffect<M> effect) {
        if (effect instanceof PeerEffect.Send<M> send) {
            actions.send(send.to(), codec.written(send.message()));
        } else if (effect instanceof PeerEffect.BeginLeading<M>) {
            leads = true;
            led++;
            actions.begin(led);
        } else if (effect instanceof PeerEffect.StopLeading<M>) {
            leads = false;
            actions.stop(led);
        }
    }

    @Override
    public long wakeAtNanos() {
        return wakeAt;
    }

    /** It believes that it leads until it hears otherwise. */
    @Override
    public Optional<MemberLead> lead() {
        return leads ? Optional.of(new MemberLead(led, 0, Step.NEVER, Step.NEVER)) : Optional.empty();
    }

    @Override
    public Optional<MemberId> leader() {
        return leader.apply(state);
    }

    @Override
    public long term() {
        return led;
    }

    @Override
    public boolean isWiped() {
        return false;
    }

    @Override
    public boolean isHeard(MemberId member, Moment now) {
        return false;
    }

    @Override
    public Optional<MemberId> successor() {
        return Optional.empty();
    }
}
