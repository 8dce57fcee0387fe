package dev.incumbent.peers.raft;

import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.PeerGroup;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.util.List;
import java.util.Optional;

/** One member of a world: its machine, its disk, its task, and a clock that starts anywhere and runs a little fast or slow. */
final class RaftNode {
    private static final long NEVER = -1;

    final MemberId id;
    private final RaftWorld world;
    private final RaftMachine machine;
    private final double rate;
    private long offset;
    private long ahead;
    private RaftState state = RaftState.START;
    private Optional<RaftDisk> disk = Optional.empty();
    private boolean up;
    private long pausedUntil;
    private long incarnation;
    private long wake;
    private long crashesAfter = NEVER;
    private long task;
    private long taskValidUntil;
    private long refusedBy;

    RaftNode(MemberId id, RaftWorld world, RaftMachine machine) {
        this.id = id;
        this.world = world;
        this.machine = machine;
        this.rate = 1 + (world.draws().nextDouble() * 2 - 1) * RaftWorld.TIMING.driftBound();
    }

    RaftState state() {
        return state;
    }

    boolean isUp() {
        return up;
    }

    /** Is there something on its disk? */
    boolean hasDisk() {
        return disk.isPresent();
    }

    long task() {
        return task;
    }

    /** Does its task run, under a lease that has not ended on its own clock? */
    boolean holds() {
        return up && task != 0 && local() < taskValidUntil;
    }

    void start() {
        if (!up) {
            up = true;
            incarnation++;
            offset = world.draws().nextLong(-500_000_000_000_000L, 500_000_000_000_000L);
            step(new RaftEvent.Started(disk));
        }
    }

    void found() {
        step(new RaftEvent.Founded("g"));
    }

    void crash() {
        world.tell(id + " crashes");
        up = false;
        incarnation++;
        state = RaftState.START;
        task = 0;
        crashesAfter = NEVER;
    }

    void wipe() {
        crash();
        world.tell(id + " loses its disk");
        disk = Optional.empty();
        refusedBy = 0;
    }

    /** In its next step that has effects, after so many of them. */
    void crashWithin(int effects) {
        crashesAfter = effects;
    }

    void pauseUntil(long at) {
        world.tell(id + " stands still until " + at / RaftWorld.MILLI);
        pausedUntil = at;
    }

    /** Its wall clock is set forward, and it has no clock that knows better. */
    void jump(long by) {
        world.tell(id + "'s clock jumps by " + by / RaftWorld.MILLI);
        ahead += by;
        tell(new RaftEvent.Woken());
    }

    /** Tells it something, once it does not stand still; nothing where it has restarted meanwhile. */
    void tell(RaftEvent event) {
        long to = incarnation;
        whenAwake(() -> {
            if (up && incarnation == to) {
                step(event);
            }
        });
    }

    /** A message finds whoever is there by then. */
    void receive(MemberId from, RaftMessage message) {
        whenAwake(() -> step(new RaftEvent.Received(from, message)));
    }

    private void whenAwake(Runnable what) {
        if (up && world.now() < pausedUntil) {
            world.at(pausedUntil, () -> whenAwake(what));
        } else {
            what.run();
        }
    }

    private void step(RaftEvent event) {
        if (!up) {
            return;
        }
        Step<RaftState, RaftEffect> step = machine.step(
                state,
                event,
                new Moment(local(), 0),
                local() - ahead,
                world.draws().nextLong());
        world.traced(() -> id + " " + event + " -> " + step.effects() + ", " + step.state());
        state = step.state();
        List<RaftEffect> effects = step.effects();
        boolean crashes = crashesAfter != NEVER && !effects.isEmpty();
        long done = crashes ? Math.min(crashesAfter, effects.size()) : effects.size();
        effects.stream().limit(done).forEach(this::perform);
        if (crashes) {
            world.reached("crash within a step");
            crash();
            world.restart(this);
            return;
        }
        state.led().filter(led -> led.term() == task).ifPresent(led -> taskValidUntil = led.leaseEndsAtNanos());
        wakeAt(step.wakeAtNanos());
        world.check();
    }

    private void wakeAt(long localNanos) {
        wake++;
        long number = wake;
        if (localNanos != Step.NEVER) {
            long at = Math.max(world.now() + 1, (long) Math.ceil((localNanos - offset - ahead) / rate) + 1);
            world.at(
                    at,
                    () -> whenAwake(() -> {
                        if (number == wake) {
                            step(new RaftEvent.Woken());
                        }
                    }));
        }
    }

    private void perform(RaftEffect effect) {
        if (effect instanceof RaftEffect.Persist persist) {
            disk = Optional.of(persist.disk());
        } else if (effect instanceof RaftEffect.Send send) {
            world.send(this, send.to(), send.message());
        } else if (effect instanceof RaftEffect.BeginLeading begin) {
            begin(begin.term());
        } else if (effect instanceof RaftEffect.StopLeading stop) {
            world.stopping(id);
            long of = incarnation;
            world.at(world.now() + world.stopTime(), () -> whenAwake(() -> stopped(stop.term(), of)));
        }
    }

    private void begin(long term) {
        if (task != 0) {
            world.broken("OneTaskOfAMember", id + " begins " + term + " while " + task + " runs");
        }
        if (term <= refusedBy) {
            world.broken("ARefusedMarkIsPassed", id + " begins " + term + ", refused by the mark " + refusedBy);
        }
        task = term;
        taskValidUntil = state.led().orElseThrow().leaseEndsAtNanos();
        world.begun(this, term);
        long of = incarnation;
        world.at(world.now() + world.draws().nextLong(50 * RaftWorld.MILLI), () -> whenAwake(() -> raise(term, of)));
    }

    private void raise(long term, long of) {
        if (incarnation == of && task == term) {
            long mark = world.raise(term);
            if (mark >= term) {
                world.reached("mark refused");
                step(new RaftEvent.MarkRefused(term, mark));
                refusedBy = incarnation == of ? mark : refusedBy;
            }
        }
    }

    private void stopped(long term, long of) {
        if (incarnation == of && task == term) {
            task = 0;
            step(new RaftEvent.TaskStopped(term));
        }
    }

    private long local() {
        return offset + ahead + (long) (world.now() * rate);
    }

    /** The machine of a member of that group. */
    static RaftMachine shipped(PeerGroup group) {
        return new RaftProtocol(group, RaftWorld.TIMING)::step;
    }
}
