package dev.incumbent.lab.contender;

import dev.incumbent.lab.world.Contender;
import dev.incumbent.lab.world.LabMember;
import dev.incumbent.lab.world.MessageKind;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Ping and take over: the leader tells the others each 300 ms that it is there. A standby that has heard nothing three times takes over, the greatest first. Of two leaders that hear each other the
 * greater one stays.
 */
final class PingContender implements Contender {
    private static final long PING_NANOS = Duration.ofMillis(300).toNanos();
    private static final int MISSES = 3;

    private final LabMember member;
    private final List<PingContender> all;
    private boolean leads;
    private Optional<Timeline.Alarm> next = Optional.empty();

    /** All contenders of a group share the list, in which each enters itself. */
    PingContender(LabMember member, List<PingContender> all) {
        this.member = member;
        this.all = all;
        all.add(this);
    }

    @Override
    public void start() {
        listen();
    }

    @Override
    public void die() {
        leads = false;
        next.ifPresent(Timeline.Alarm::cancel);
    }

    @Override
    public long believesUntil() {
        return leads ? Long.MAX_VALUE : Long.MIN_VALUE;
    }

    private void listen() {
        int rank = member.world().members().size() - 1 - member.index();
        wakeIn((MISSES + rank) * PING_NANOS, this::takeOver);
    }

    private void takeOver() {
        leads = true;
        member.suspects();
        member.begins(OptionalLong.empty());
        ping(MessageKind.ELECTION);
    }

    private void ping(MessageKind kind) {
        for (PingContender other : all) {
            if (other != this) {
                member.send(
                        other.member,
                        kind,
                        kind == MessageKind.ELECTION ? "I lead" : "ping",
                        () -> other.heard(member));
            }
        }
        wakeIn(PING_NANOS, () -> ping(MessageKind.HEARTBEAT));
    }

    private void heard(LabMember leader) {
        if (leads && leader.index() < member.index()) {
            return;
        }
        if (leads) {
            leads = false;
            member.ends(() -> {});
        }
        listen();
    }

    private void wakeIn(long nanos, Runnable what) {
        next.ifPresent(Timeline.Alarm::cancel);
        next = Optional.of(member.after(nanos, what));
    }
}
