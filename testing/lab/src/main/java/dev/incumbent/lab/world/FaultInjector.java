package dev.incumbent.lab.world;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Lets faults happen in a world. */
final class FaultInjector {
    /** By so much after a fault a leader has noticed that it leads no more, if so. */
    private static final long NOTICED_NANOS = Duration.ofSeconds(1).toNanos();

    private final LabWorld world;

    FaultInjector(LabWorld world) {
        this.world = world;
    }

    void happen(LabFault fault) {
        List<LabMember> struck = fault.target().in(world);
        world.watcher().fault(fault, struck.stream().map(LabMember::index).toList());
        long length = fault.length().toNanos();
        long until = world.now() + length;
        switch (fault.kind()) {
            case CRASH -> struck.forEach(member -> crash(member, length));
            case RESTART -> struck.forEach(member -> restart(member, length));
            case PAUSE -> struck.forEach(member -> pause(member, until));
            case PARTITION -> part(struck, until, true, true);
            case UNHEARD -> part(struck, until, true, false);
            case DEAF -> part(struck, until, false, true);
            case CLOCK_RATE -> struck.forEach(member -> rate(member, fault.amount(), length));
            case WALL_STEP ->
                struck.forEach(member -> {
                    member.clock().stepWall((long)
                            (fault.amount() * Duration.ofSeconds(1).toNanos()));
                    member.beliefChanged();
                });
            case LOSS -> world.network().lose((long) fault.amount(), until);
            case DELAY ->
                world.network()
                        .delay((long) (fault.amount() * Duration.ofMillis(1).toNanos()), until);
            case HAND_OVER -> struck.forEach(this::handOver);
            case ELECTOR_CRASH -> world.nextElectorIsDownFor(length);
            case STORE_FORGETS -> world.storeForgets();
        }
    }

    /** Dies now, and starts again after so long. */
    void crash(LabMember member, long downFor) {
        world.struck(member, true);
        member.crash();
        world.agenda().in(downFor, member::start);
    }

    private void restart(LabMember member, long downFor) {
        if (member.isUp()) {
            world.struck(member, false);
            member.clock().whenAwake(member::leave);
            world.agenda().in(Duration.ofMillis(1_100).toNanos() + downFor, member::start);
        }
    }

    private void pause(LabMember member, long until) {
        struck(member, until);
        member.clock().pauseUntil(until);
        world.watcher().pauses(member.index(), until);
    }

    private void struck(LabMember member, long until) {
        world.struck(member, true);
        world.agenda().at(until + NOTICED_NANOS, () -> world.recovered(member));
    }

    private void rate(LabMember member, double rate, long length) {
        member.clock().rate(rate);
        member.beliefChanged();
        world.agenda().in(length, () -> {
            member.clock().rate(1);
            member.beliefChanged();
        });
    }

    private void handOver(LabMember leader) {
        if (leader.isUp() && leader.believes() && leader.contender().canHandOver()) {
            world.struck(leader, false);
            leader.clock().whenAwake(() -> leader.contender().handOver(world.after(leader)));
        }
    }

    /** What one side sends, or the other one, or both, does not arrive. The sink is on neither side. */
    private void part(List<LabMember> side, long until, boolean theirs, boolean others) {
        side.forEach(member -> struck(member, until));
        List<Integer> inside = side.stream().map(LabMember::index).toList();
        List<Integer> outside = IntStream.rangeClosed(0, world.storeEndpoint())
                .boxed()
                .filter(endpoint -> !inside.contains(endpoint))
                .toList();
        for (int in : inside) {
            for (int out : outside) {
                if (theirs) {
                    world.network().cut(in, out, until);
                }
                if (others) {
                    world.network().cut(out, in, until);
                }
            }
        }
    }
}
