package dev.incumbent.lab.contender;

import dev.incumbent.fence.Raise;
import dev.incumbent.lab.world.Contender;
import dev.incumbent.lab.world.LabMember;
import dev.incumbent.lab.world.MessageKind;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.raft.LedTerm;
import dev.incumbent.peers.raft.RaftDisk;
import dev.incumbent.peers.raft.RaftEffect;
import dev.incumbent.peers.raft.RaftEvent;
import dev.incumbent.peers.raft.RaftMessage;
import dev.incumbent.peers.raft.RaftProtocol;
import dev.incumbent.peers.raft.RaftRole;
import dev.incumbent.peers.raft.RaftState;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** One member of Raft's election, with its disk. Its term is its token: it raises the sink, then its work begins. */
final class RaftContender implements Contender {
    private static final long RAISE_AGAIN_NANOS = Duration.ofMillis(200).toNanos();
    private static final long HANDED_OVER_NANOS = Duration.ofMillis(300).toNanos();

    private final LabMember member;
    private final RaftProtocol protocol;
    private final Map<MemberId, RaftContender> others;
    private RaftState state = RaftState.START;
    private Optional<RaftDisk> disk = Optional.of(new RaftDisk("lab", 0, Optional.empty()));
    private long task;
    private boolean raised;
    private Optional<Timeline.Alarm> wake = Optional.empty();

    RaftContender(LabMember member, RaftProtocol protocol, Map<MemberId, RaftContender> others) {
        this.member = member;
        this.protocol = protocol;
        this.others = others;
        others.put(member.id(), this);
    }

    @Override
    public void start() {
        step(new RaftEvent.Started(disk));
    }

    @Override
    public void die() {
        state = RaftState.START;
        task = 0;
        raised = false;
        wake.ifPresent(Timeline.Alarm::cancel);
    }

    @Override
    public void leave(Runnable done) {
        if (task == 0) {
            done.run();
        } else {
            handOver(member.world().after(member));
            member.after(HANDED_OVER_NANOS, done);
        }
    }

    @Override
    public long believesUntil() {
        return state.led()
                .filter(led -> raised && led.term() == task && led.task() != LedTerm.Task.WAITS)
                .map(LedTerm::leaseEndsAtNanos)
                .orElse(Long.MIN_VALUE);
    }

    @Override
    public boolean canHandOver() {
        return true;
    }

    @Override
    public void handOver(LabMember successor) {
        step(new RaftEvent.TransferAsked(successor.id()));
    }

    @Override
    public void refused(long token, long inForce) {
        step(new RaftEvent.MarkRefused(token, inForce));
    }

    private void step(RaftEvent event) {
        RaftState before = state;
        Step<RaftState, RaftEffect> step = protocol.step(
                state,
                event,
                new Moment(member.clock().nanos(), 0),
                member.world().dice());
        state = step.state();
        boolean election = isOfAnElection(before, event, step);
        for (RaftEffect effect : step.effects()) {
            perform(effect, election);
        }
        if (isStanding(state) && !isStanding(before)) {
            member.suspects();
        }
        member.beliefChanged();
        wake.ifPresent(Timeline.Alarm::cancel);
        if (step.wakeAtNanos() != Step.NEVER) {
            wake = Optional.of(member.at(
                    Math.max(step.wakeAtNanos(), member.clock().nanos() + 1), () -> step(new RaftEvent.Woken())));
        }
    }

    private static boolean isStanding(RaftState state) {
        return state.role() == RaftRole.PRE_CANDIDATE || state.role() == RaftRole.CANDIDATE;
    }

    /** All but the heartbeats of a leader that leads already, and their answers: the first heartbeat announces the leader. */
    private static boolean isOfAnElection(RaftState before, RaftEvent event, Step<RaftState, RaftEffect> step) {
        boolean leads = before.led().isPresent() && before.role() == RaftRole.LEADER;
        boolean follows = step.effects().stream().anyMatch(effect -> effect instanceof RaftEffect.FollowLeader);
        boolean beaten = event instanceof RaftEvent.Received received
                && received.message() instanceof RaftMessage.Heartbeat
                && !follows;
        return !leads && !beaten;
    }

    private void perform(RaftEffect effect, boolean election) {
        if (effect instanceof RaftEffect.Persist persist) {
            disk = Optional.of(persist.disk());
        } else if (effect instanceof RaftEffect.Send send) {
            RaftContender to = Optional.ofNullable(others.get(send.to())).orElseThrow();
            member.send(
                    to.member,
                    election || send.message() instanceof RaftMessage.TimeoutNow
                            ? MessageKind.ELECTION
                            : MessageKind.HEARTBEAT,
                    send.message().getClass().getSimpleName(),
                    () -> to.step(new RaftEvent.Received(member.id(), send.message())));
        } else if (effect instanceof RaftEffect.BeginLeading begin) {
            task = begin.term();
            raised = false;
            raise(begin.term());
        } else if (effect instanceof RaftEffect.StopLeading stop) {
            member.ends(() -> stopped(stop.term()));
        }
    }

    /** Asks again until the sink has answered, or the term is over. */
    private void raise(long term) {
        if (task != term || raised) {
            return;
        }
        Mark mark = new Mark(
                new FencingToken(term),
                MarkOwner.ofCandidate(new CandidateId(member.id().value())));
        member.request(
                member.world().sinkEndpoint(),
                MessageKind.WORK,
                "raise",
                () -> member.world().sink().raise(mark),
                answer -> {
                    if (task == term && !raised) {
                        raisedOrNot(term, answer);
                    }
                });
        member.after(RAISE_AGAIN_NANOS, () -> raise(term));
    }

    private void raisedOrNot(long term, Raise answer) {
        if (answer instanceof Raise.Raised) {
            raised = true;
            member.begins(OptionalLong.of(term));
        } else if (answer instanceof Raise.Refused refused) {
            refused(term, refused.inForce().token().value());
        }
    }

    private void stopped(long term) {
        long of = member.incarnation();
        member.world()
                .agenda()
                .in(
                        0,
                        () -> member.clock().whenAwake(() -> {
                            if (member.isUp() && member.incarnation() == of) {
                                task = 0;
                                raised = false;
                                step(new RaftEvent.TaskStopped(term));
                            }
                        }));
    }
}
