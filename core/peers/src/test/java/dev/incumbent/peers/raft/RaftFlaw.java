package dev.incumbent.peers.raft;

import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.PeerGroup;
import dev.incumbent.protocol.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Bugs on purpose, put around the shipped machine: an event, an effect or a state is rewritten. Each breaks one rule, and names the invariant that must find it. */
enum RaftFlaw {
    /** The vote is on the disk before it is told. */
    VOTE_NOT_PERSISTED("ATermBeginsOnce") {
        @Override
        RaftMachine around(RaftMachine shipped, PeerGroup group) {
            return (state, event, now, passed, dice) -> {
                Step<RaftState, RaftEffect> step = shipped.step(state, event, now, passed, dice);
                return with(
                        step,
                        step.state(),
                        effect -> !(effect instanceof RaftEffect.Persist persist)
                                || persist.disk().vote().isEmpty());
            };
        }
    },
    /** A term has one vote. */
    TWO_VOTES_IN_A_TERM("ATermBeginsOnce") {
        @Override
        RaftMachine around(RaftMachine shipped, PeerGroup group) {
            return (state, event, now, passed, dice) -> shipped.step(
                    asked(event) && state.role() == RaftRole.FOLLOWER
                            ? disk(state, state.disk().map(disk -> disk.unvoted(disk.term())))
                            : state,
                    event,
                    now,
                    passed,
                    dice);
        }
    },
    /** A member asks whether it would be elected before its term grows. */
    NO_PRE_VOTE("AReturningMemberDisturbsNobody") {
        @Override
        RaftMachine around(RaftMachine shipped, PeerGroup group) {
            return (state, event, now, passed, dice) -> {
                Step<RaftState, RaftEffect> step = shipped.step(state, event, now, passed, dice);
                for (MemberId other : group.others()) {
                    if (step.state().role() == RaftRole.PRE_CANDIDATE) {
                        long term = step.state().disk().orElseThrow().term() + 1;
                        step = after(
                                step,
                                shipped.step(
                                        step.state(),
                                        new RaftEvent.Received(other, new RaftMessage.GrantPreVote(term)),
                                        now,
                                        passed,
                                        dice));
                    }
                }
                return step;
            };
        }
    },
    /** The lease counts from the sending. */
    LEASE_FROM_THE_REPLY("OneHolderOfALease") {
        @Override
        RaftMachine around(RaftMachine shipped, PeerGroup group) {
            return (state, event, now, passed, dice) -> shipped.step(
                    state,
                    event instanceof RaftEvent.Received received
                                    && received.message() instanceof RaftMessage.HeartbeatTaken taken
                            ? new RaftEvent.Received(
                                    received.from(), new RaftMessage.HeartbeatTaken(taken.term(), now.nanos()))
                            : event,
                    now,
                    passed,
                    dice);
        }
    },
    /** A member that has started votes for nobody for one longest lease. */
    VOTES_RIGHT_AFTER_A_START("OneHolderOfALease") {
        @Override
        RaftMachine around(RaftMachine shipped, PeerGroup group) {
            return (state, event, now, passed, dice) ->
                    shipped.step(promise(state, state.promise().muted(Long.MIN_VALUE)), event, now, passed, dice);
        }
    },
    /** A member that has answered a heartbeat votes for nobody for one lease. */
    VOTES_WHILE_BOUND("OneHolderOfALease") {
        @Override
        RaftMachine around(RaftMachine shipped, PeerGroup group) {
            return (state, event, now, passed, dice) -> shipped.step(
                    asked(event)
                            ? promise(
                                    state,
                                    new VotePromise(
                                            state.promise().leader(),
                                            Long.MIN_VALUE,
                                            state.promise().mutedUntilNanos()))
                            : state,
                    event,
                    now,
                    passed,
                    dice);
        }
    },
    /** A clock that jumps forward ends no promise. */
    PROMISES_BY_A_CLOCK_THAT_JUMPS("OneHolderOfALease") {
        @Override
        RaftMachine around(RaftMachine shipped, PeerGroup group) {
            return (state, event, now, passed, dice) -> shipped.step(state, event, now, now.nanos(), dice);
        }
    },
    /** A leader that has stepped down votes only once its lease has ended or its task has stopped. */
    VOTES_WHILE_ITS_TASK_RUNS("OneHolderOfALease") {
        @Override
        RaftMachine around(RaftMachine shipped, PeerGroup group) {
            return (state, event, now, passed, dice) -> {
                if (!asked(event) || state.role() == RaftRole.LEADER) {
                    return shipped.step(state, event, now, passed, dice);
                }
                Step<RaftState, RaftEffect> step = shipped.step(led(state, Optional.empty()), event, now, passed, dice);
                return with(step, led(step.state(), state.led()), effect -> true);
            };
        }
    },
    /** A leader whose lease nears its end steps down. */
    NO_CHECK_QUORUM("OneHolderOfALease") {
        @Override
        RaftMachine around(RaftMachine shipped, PeerGroup group) {
            return (state, event, now, passed, dice) -> shipped.step(
                    led(
                            state,
                            state.led()
                                    .map(led -> new LedTerm(
                                            led.term(), led.task(), led.answered(), Long.MAX_VALUE, led.successor()))),
                    event,
                    now,
                    passed,
                    dice);
        }
    },
    /** A leader stops its task before it sends TimeoutNow. */
    TIMEOUT_NOW_BEFORE_THE_STOP("OneHolderOfALease") {
        @Override
        RaftMachine around(RaftMachine shipped, PeerGroup group) {
            return (state, event, now, passed, dice) -> {
                Step<RaftState, RaftEffect> step = shipped.step(state, event, now, passed, dice);
                Optional<LedTerm> led = step.state().led();
                return event instanceof RaftEvent.TransferAsked
                                && led.flatMap(LedTerm::successor).isPresent()
                        ? after(
                                step,
                                shipped.step(
                                        step.state(),
                                        new RaftEvent.TaskStopped(
                                                led.orElseThrow().term()),
                                        now,
                                        passed,
                                        dice))
                        : step;
            };
        }
    },
    /** A member whose disk was wiped takes no part until all others have told their terms. */
    WIPED_DISK_TAKEN_FOR_A_NEW_ONE("ATermBeginsOnce") {
        @Override
        RaftMachine around(RaftMachine shipped, PeerGroup group) {
            return (state, event, now, passed, dice) -> shipped.step(
                    state,
                    event instanceof RaftEvent.Started started && started.disk().isEmpty()
                            ? new RaftEvent.Started(Optional.of(new RaftDisk("g", 0, Optional.empty())))
                            : event,
                    now,
                    passed,
                    dice);
        }
    },
    /** One majority is not enough: the candidate that a wiped member voted for may not be in it. */
    WIPED_MEMBER_ASKS_A_MAJORITY("ATermBeginsOnce") {
        @Override
        RaftMachine around(RaftMachine shipped, PeerGroup group) {
            return (state, event, now, passed, dice) -> {
                Step<RaftState, RaftEffect> step = shipped.step(state, event, now, passed, dice);
                Optional<RaftMessage.TellTerm> told = step.state()
                        .inquiry()
                        .flatMap(inquiry -> inquiry.told().values().stream().findFirst());
                for (MemberId other : group.others()) {
                    if (told.isPresent() && step.state().role() == RaftRole.WIPED) {
                        step = after(
                                step,
                                shipped.step(
                                        step.state(), new RaftEvent.Received(other, told.get()), now, passed, dice));
                    }
                }
                return step;
            };
        }
    },
    /** A refused mark lifts the persisted term above it. */
    REFUSED_MARK_FORGOTTEN("ARefusedMarkIsPassed") {
        @Override
        RaftMachine around(RaftMachine shipped, PeerGroup group) {
            return (state, event, now, passed, dice) -> shipped.step(
                    state,
                    event instanceof RaftEvent.MarkRefused refused ? new RaftEvent.TaskStopped(refused.term()) : event,
                    now,
                    passed,
                    dice);
        }
    };

    private final String foundBy;

    RaftFlaw(String foundBy) {
        this.foundBy = foundBy;
    }

    String foundBy() {
        return foundBy;
    }

    /** That machine with this bug. */
    abstract RaftMachine around(RaftMachine shipped, PeerGroup group);

    private static boolean asked(RaftEvent event) {
        return event instanceof RaftEvent.Received received
                && (received.message() instanceof RaftMessage.RequestVote
                        || received.message() instanceof RaftMessage.RequestPreVote);
    }

    private static Step<RaftState, RaftEffect> with(
            Step<RaftState, RaftEffect> step, RaftState state, Predicate<RaftEffect> kept) {
        return new Step<>(state, step.effects().stream().filter(kept).toList(), step.wakeAtNanos());
    }

    /** Two steps as one. */
    private static Step<RaftState, RaftEffect> after(
            Step<RaftState, RaftEffect> first, Step<RaftState, RaftEffect> second) {
        List<RaftEffect> effects = new ArrayList<>(first.effects());
        effects.addAll(second.effects());
        return new Step<>(second.state(), effects, second.wakeAtNanos());
    }

    private static RaftState disk(RaftState s, Optional<RaftDisk> disk) {
        return new RaftState(s.role(), disk, s.promise(), s.dueAtNanos(), s.granted(), s.led(), s.inquiry());
    }

    private static RaftState promise(RaftState s, VotePromise promise) {
        return new RaftState(s.role(), s.disk(), promise, s.dueAtNanos(), s.granted(), s.led(), s.inquiry());
    }

    private static RaftState led(RaftState s, Optional<LedTerm> led) {
        return new RaftState(s.role(), s.disk(), s.promise(), s.dueAtNanos(), s.granted(), led, s.inquiry());
    }
}
