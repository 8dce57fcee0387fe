package dev.incumbent.lab.world;

import dev.incumbent.peers.MemberId;
import dev.incumbent.simulation.DriftingClock;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One member of a world: a machine with a clock, a process that starts and dies, one contender, and the work of a leader. */
public final class LabMember {
    private static final long LEAVE_NANOS = Duration.ofSeconds(1).toNanos();

    private final LabWorld world;
    private final int index;
    private final MemberId id;
    private final DriftingClock clock;
    private final LeaderWork work;
    private Optional<Contender> contender = Optional.empty();
    private boolean up;
    private long incarnation;

    LabMember(LabWorld world, int index, DriftingClock clock) {
        this.world = world;
        this.index = index;
        this.id = new MemberId("m%02d".formatted(index));
        this.clock = clock;
        this.work = new LeaderWork(this, world);
    }

    void plays(Contender by) {
        contender = Optional.of(by);
    }

    Contender contender() {
        return contender.orElseThrow();
    }

    /** Its place among the members, from 0; the greatest has the greatest id. */
    public int index() {
        return index;
    }

    public MemberId id() {
        return id;
    }

    public LabWorld world() {
        return world;
    }

    public DriftingClock clock() {
        return clock;
    }

    /** Does its process run? */
    public boolean isUp() {
        return up;
    }

    /** Of which start this is. */
    public long incarnation() {
        return incarnation;
    }

    void start() {
        if (!up) {
            up = true;
            incarnation++;
            world.watcher().isUp(index, true);
            contender().start();
            beliefChanged();
        }
    }

    void crash() {
        if (up) {
            up = false;
            incarnation++;
            world.watcher().isUp(index, false);
            work.end();
            contender().die();
            beliefChanged();
        }
    }

    /** Ends in good order, or after a second without. */
    void leave() {
        long of = incarnation;
        Runnable gone = () -> {
            if (incarnation == of) {
                crash();
            }
        };
        after(LEAVE_NANOS, gone);
        contender().leave(gone);
    }

    /** Runs it after so long on this member's clock, unless its process has died by then. */
    public Timeline.Alarm after(long nanos, Runnable what) {
        return at(clock.nanos() + nanos, what);
    }

    /** Runs it at that time of this member's clock, unless its process has died by then. */
    public Timeline.Alarm at(long nanos, Runnable what) {
        long of = incarnation;
        return clock.at(nanos, () -> {
            if (up && incarnation == of) {
                what.run();
            }
        });
    }

    /** Sends a message to another member, whose process takes it if it runs then. */
    public void send(LabMember to, MessageKind kind, String label, Runnable arrival) {
        world.network()
                .send(
                        new RunWatcher.Way(index, to.index),
                        kind,
                        label,
                        () -> to.clock.whenAwake(() -> {
                            if (to.up) {
                                arrival.run();
                            }
                        }));
    }

    /** Asks the store or the sink; nothing tells it where no answer comes. */
    public <T> void request(int endpoint, MessageKind kind, String label, Supplier<T> there, Consumer<T> answer) {
        long of = incarnation;
        world.network().send(new RunWatcher.Way(index, endpoint), kind, label, () -> {
            T told = there.get();
            world.network()
                    .send(
                            new RunWatcher.Way(endpoint, index),
                            kind,
                            label,
                            () -> clock.whenAwake(() -> {
                                if (up && incarnation == of) {
                                    answer.accept(told);
                                }
                            }));
        });
    }

    /** It leads from now on, as far as it knows. */
    public void begins(OptionalLong token) {
        world.began(this);
        beliefChanged();
        work.begin(token);
    }

    /** Its work shall stop; says when it has. */
    public void ends(Runnable stopped) {
        work.stop(stopped);
        beliefChanged();
    }

    /** It takes the leader for lost, and does something about it. */
    public void suspects() {
        world.suspects(this);
    }

    /** Its contender may answer otherwise than before. */
    public void beliefChanged() {
        long local = up ? contender().believesUntil() : Long.MIN_VALUE;
        boolean known = local != Long.MIN_VALUE && local != Long.MAX_VALUE;
        long until = known ? clock.trueTimeOf(local) : local;
        world.believes(this, until);
    }

    /** What its guard says now. */
    public boolean believes() {
        return up && contender().believesUntil() > clock.nanos();
    }
}
