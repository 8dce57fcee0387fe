package dev.incumbent.lab.world;

import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a leader does: reads the sink, then again and again asks its guard, works for a while, and writes. It asks no guard between the two, as no program can: so a pause in between
 * lets a write come late.
 */
final class LeaderWork {
    private static final long PATIENCE_NANOS = Duration.ofSeconds(1).toNanos();

    private final LabMember member;
    private final LabWorld world;
    private OptionalLong token = OptionalLong.empty();
    private long reign;
    private long turn;
    private boolean running;
    private boolean toldLate;
    private boolean working;
    private Optional<Runnable> stopped = Optional.empty();
    private Optional<SharedSink.Known> known = Optional.empty();
    private Optional<Timeline.Alarm> limit = Optional.empty();

    LeaderWork(LabMember member, LabWorld world) {
        this.member = member;
        this.world = world;
    }

    void begin(OptionalLong ofToken) {
        end();
        token = ofToken;
        reign = world.nextReign();
        running = true;
        toldLate = false;
        working = false;
        stopped = Optional.empty();
        read();
    }

    /** Says when it has stopped: when the write that is under way is answered or given up, or now. */
    void stop(Runnable whenStopped) {
        if (working) {
            stopped = Optional.of(whenStopped);
        } else {
            end();
            whenStopped.run();
        }
    }

    void end() {
        running = false;
        working = false;
        turn++;
        world.sink().over(reign);
        limit.ifPresent(Timeline.Alarm::cancel);
    }

    private void read() {
        long mine = reign;
        long asked = awaits(this::read);
        member.request(
                world.sinkEndpoint(),
                MessageKind.WORK,
                "read",
                () -> world.sink().read(mine),
                answer -> {
                    if (isNow(asked)) {
                        known = Optional.of(answer);
                        checkLater();
                    }
                });
    }

    private void checkLater() {
        long next = ++turn;
        limit.ifPresent(Timeline.Alarm::cancel);
        member.after(world.pace().pause().toNanos(), () -> {
            if (isNow(next)) {
                check();
            }
        });
    }

    private void check() {
        if (!member.believes()) {
            checkLater();
            return;
        }
        working = true;
        long next = ++turn;
        member.after(world.pace().work().toNanos(), () -> {
            if (isNow(next)) {
                write();
            }
        });
    }

    private void write() {
        long mine = reign;
        OptionalLong shown = token;
        SharedSink.Known from = known.orElseThrow();
        long asked = awaits(() -> {
            if (goesOn()) {
                read();
            }
        });
        member.request(world.sinkEndpoint(), MessageKind.WORK, "write", () -> written(mine, shown, from), answer -> {
            if (isNow(asked)) {
                answered(answer);
            }
        });
    }

    /** The write is over: so is the work, if it shall stop. */
    private boolean goesOn() {
        working = false;
        stopped.ifPresent(whenStopped -> {
            end();
            whenStopped.run();
        });
        return stopped.isEmpty();
    }

    /** At the sink. */
    private SharedSink.Written written(long mine, OptionalLong shown, SharedSink.Known from) {
        long lost = world.sink().lost();
        long stale = world.sink().stale();
        SharedSink.Written written = world.sink().write(mine, shown, from);
        long overwritten = world.sink().lost() - lost;
        if (!toldLate && (overwritten > 0 || world.sink().stale() > stale)) {
            toldLate = true;
            world.watcher()
                    .mark("the first late write of " + member.id()
                            + (written.admitted() ? "" : ", which the fence refuses,")
                            + (overwritten > 0 ? " overwrites " + overwritten + " of another leader" : " arrives"));
        }
        return written;
    }

    private void answered(SharedSink.Written written) {
        if (written.admitted()) {
            world.acknowledged();
        }
        if (!goesOn()) {
            return;
        }
        if (written.admitted()) {
            known = Optional.of(written.known());
            checkLater();
        } else {
            turn++;
            limit.ifPresent(Timeline.Alarm::cancel);
            long inForce = world.sink().mark().orElseThrow().token().value();
            member.contender().refused(token.orElseThrow(), inForce);
        }
    }

    /** What to do if no answer comes; the number of this wait. */
    private long awaits(Runnable otherwise) {
        long next = ++turn;
        limit.ifPresent(Timeline.Alarm::cancel);
        limit = Optional.of(member.after(PATIENCE_NANOS, () -> {
            if (isNow(next)) {
                otherwise.run();
            }
        }));
        return next;
    }

    private boolean isNow(long asked) {
        return running && turn == asked;
    }
}
