package dev.incumbent.coordinator.peers;

import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.PeerGroup;
import dev.incumbent.peers.raft.LedTerm;
import dev.incumbent.peers.raft.RaftDisk;
import dev.incumbent.peers.raft.RaftEffect;
import dev.incumbent.peers.raft.RaftEvent;
import dev.incumbent.peers.raft.RaftMessage;
import dev.incumbent.peers.raft.RaftProtocol;
import dev.incumbent.peers.raft.RaftRole;
import dev.incumbent.peers.raft.RaftState;
import dev.incumbent.peers.raft.RaftTiming;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** A member of a Raft election. While it is not able, its requests for votes and the leader's call to stand are lost, as any message may be: so it votes and is not elected. */
final class RaftMember implements MemberMachine {
    private static final RaftCodec CODEC = new RaftCodec();

    private final RaftProtocol protocol;
    private final RaftTiming timing;
    private final LongSupplier dice;
    private final MemberActions actions;
    private final MemberId me;
    private final long validForNanos;
    private RaftState state = RaftState.START;
    private long wakeAt = Step.NEVER;
    private boolean isAble = true;

    RaftMember(PeerGroup group, RaftTiming timing, LongSupplier dice, MemberActions actions) {
        this.protocol = new RaftProtocol(group, timing);
        this.timing = timing;
        this.dice = dice;
        this.actions = actions;
        this.me = group.me();
        double rate = (1 - timing.driftBound()) / (1 + timing.driftBound());
        this.validForNanos = (long) (timing.lease().toNanos() * rate);
    }

    @Override
    public void started(Optional<RaftDisk> disk, Moment now) {
        step(new RaftEvent.Started(disk), now);
    }

    @Override
    public void received(MemberId from, byte[] message, Moment now) throws MessageException {
        RaftMessage read = CODEC.read(message);
        if (isAble || !(read instanceof RaftMessage.TimeoutNow)) {
            step(new RaftEvent.Received(from, read), now);
        }
    }

    @Override
    public void woken(Moment now) {
        step(new RaftEvent.Woken(), now);
    }

    @Override
    public void transferAsked(MemberId successor, Moment now) {
        step(new RaftEvent.TransferAsked(successor), now);
    }

    @Override
    public void stopped(long term, Moment now) {
        step(new RaftEvent.TaskStopped(term), now);
    }

    @Override
    public void refused(long term, long inForce, Moment now) {
        step(new RaftEvent.MarkRefused(term, inForce), now);
    }

    @Override
    public void setAble(boolean next, Moment now) {
        isAble = next;
    }

    private void step(RaftEvent event, Moment now) {
        Step<RaftState, RaftEffect> step = protocol.step(state, event, now, actions.passedNanos(), dice.getAsLong());
        state = step.state();
        wakeAt = step.wakeAtNanos();
        step.effects().forEach(this::perform);
    }

    private void perform(RaftEffect effect) {
        if (effect instanceof RaftEffect.Persist persist) {
            actions.persist(persist.disk());
        } else if (effect instanceof RaftEffect.Send send) {
            send(send);
        } else if (effect instanceof RaftEffect.BeginLeading begin) {
            actions.begin(begin.term());
        } else if (effect instanceof RaftEffect.StopLeading stop) {
            actions.stop(stop.term());
        }
    }

    private void send(RaftEffect.Send send) {
        boolean asks = send.message() instanceof RaftMessage.RequestPreVote
                || send.message() instanceof RaftMessage.RequestVote;
        if (isAble || !asks) {
            actions.send(send.to(), CODEC.written(send.message()));
        }
    }

    @Override
    public long wakeAtNanos() {
        return wakeAt;
    }

    @Override
    public Optional<MemberLead> lead() {
        return state.led()
                .filter(led -> led.task() != LedTerm.Task.WAITS)
                .map(led -> new MemberLead(
                        led.term(),
                        led.leaseEndsAtNanos() - validForNanos,
                        led.leaseEndsAtNanos() - timing.stopBudget().toNanos(),
                        led.leaseEndsAtNanos()));
    }

    @Override
    public Optional<MemberId> leader() {
        return state.role() == RaftRole.LEADER
                ? lead().map(lead -> me)
                : state.promise().leader();
    }

    @Override
    public long term() {
        return state.disk().map(RaftDisk::term).orElse(0L);
    }

    @Override
    public boolean isWiped() {
        return state.role() == RaftRole.WIPED;
    }

    @Override
    public boolean isHeard(MemberId member, Moment now) {
        return state.led()
                .flatMap(led -> Optional.ofNullable(led.answered().get(member)))
                .filter(sentAt -> now.nanos() - sentAt <= timing.lease().toNanos())
                .isPresent();
    }

    @Override
    public Optional<MemberId> successor() {
        return state.led()
                .flatMap(led -> led.answered().entrySet().stream()
                        .max(Map.Entry.comparingByValue())
                        .map(Map.Entry::getKey));
    }
}
