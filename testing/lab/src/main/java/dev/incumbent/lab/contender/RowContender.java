package dev.incumbent.lab.contender;

import dev.incumbent.lab.world.Contender;
import dev.incumbent.lab.world.LabMember;
import dev.incumbent.lab.world.MessageKind;
import dev.incumbent.lab.world.RunWatcher;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** One member that elects by a row of a database: it polls, and leads when the row is its own. */
final class RowContender implements Contender {
    private static final long POLL_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long PATIENCE_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long PROBE_NANOS = Duration.ofSeconds(10).toNanos();
    private static final int MOST_PROBES_UNANSWERED = 3;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final LabMember member;
    private final RowRule rule;
    private final LockRow row;
    private final long leaseNanos;
    private boolean leads;
    private long validUntil;
    private long asked;
    private Optional<Timeline.Alarm> next = Optional.empty();

    /** What the store said: is the row mine, and was it just taken? */
    private record PollAnswer(boolean mine, boolean taken) {}

    RowContender(LabMember member, RowRule rule, LockRow row, Duration lease) {
        this.member = member;
        this.rule = rule;
        this.row = row;
        this.leaseNanos = lease.toNanos();
    }

    @Override
    public void start() {
        poll();
    }

    /** The server hears of a connection that is broken, unless the network is cut. */
    @Override
    public void die() {
        leads = false;
        next.ifPresent(Timeline.Alarm::cancel);
        if (rule == RowRule.CONNECTION_LOCK) {
            member.world()
                    .network()
                    .send(
                            new RunWatcher.Way(member.index(), member.world().storeEndpoint()),
                            MessageKind.HEARTBEAT,
                            "reset",
                            () -> release(member.incarnation() - 1));
        }
    }

    @Override
    public void leave(Runnable done) {
        handOver(member);
        done.run();
    }

    @Override
    public long believesUntil() {
        if (!leads) {
            return Long.MIN_VALUE;
        }
        return rule == RowRule.FORGETFUL_LEASE ? validUntil : Long.MAX_VALUE;
    }

    @Override
    public boolean canHandOver() {
        return true;
    }

    /** It cannot choose: it gives up the row, and does not take it for two polls. */
    @Override
    public void handOver(LabMember successor) {
        if (leads) {
            lose();
            long mine = member.incarnation();
            member.world()
                    .network()
                    .send(
                            new RunWatcher.Way(member.index(), member.world().storeEndpoint()),
                            MessageKind.ELECTION,
                            "release",
                            () -> release(mine));
            pollIn(3 * POLL_NANOS);
        }
    }

    private void release(long incarnation) {
        if (row.isOf(member.index(), incarnation)) {
            row.clear();
        }
    }

    /** It asks again when the answer has come, or after some patience. */
    private void poll() {
        long number = ++asked;
        long sentAt = member.clock().nanos();
        long wall = member.clock().wallMillis() * NANOS_PER_MILLI;
        long mine = member.incarnation();
        pollIn(PATIENCE_NANOS);
        member.request(
                member.world().storeEndpoint(), MessageKind.HEARTBEAT, "poll", () -> atTheStore(wall, mine), answer -> {
                    if (number == asked) {
                        answered(answer, sentAt);
                    }
                });
    }

    private PollAnswer atTheStore(long wall, long incarnation) {
        boolean before = row.owner() == member.index();
        long now = rule == RowRule.WALL_CLOCK ? wall : member.world().now();
        boolean free = switch (rule) {
            case FLAG, CONNECTION_LOCK -> row.owner() == LockRow.NOBODY;
            case WALL_CLOCK, FORGETFUL_LEASE -> row.owner() == LockRow.NOBODY || row.hasExpiredBy(now);
        };
        boolean renews = before && rule != RowRule.CONNECTION_LOCK;
        if (free || renews) {
            row.take(member.index(), incarnation, now + leaseNanos);
        }
        if (free && rule == RowRule.CONNECTION_LOCK) {
            probe(incarnation, 0);
        }
        boolean mine = row.owner() == member.index();
        return new PollAnswer(mine, mine && !before);
    }

    private void answered(PollAnswer answer, long sentAt) {
        pollIn(POLL_NANOS + member.world().below(POLL_NANOS / 10));
        if (answer.taken()) {
            member.world().network().wereOfAnElection(2);
            member.suspects();
        }
        if (answer.mine()) {
            validUntil = sentAt + leaseNanos;
            boolean begins = !leads;
            leads = true;
            if (begins) {
                member.begins(OptionalLong.empty());
            } else {
                member.beliefChanged();
            }
            if (rule == RowRule.CONNECTION_LOCK) {
                next.ifPresent(Timeline.Alarm::cancel);
            } else if (rule != RowRule.FLAG) {
                pollIn(leaseNanos / 3);
            }
        } else if (leads) {
            lose();
        }
    }

    private void lose() {
        leads = false;
        asked++;
        member.ends(() -> {});
        pollIn(POLL_NANOS);
    }

    private void pollIn(long nanos) {
        next.ifPresent(Timeline.Alarm::cancel);
        next = Optional.of(member.after(nanos, this::poll));
    }

    /** The server asks the machine at the other end, whose kernel answers even where the process stands still. */
    private void probe(long incarnation, int unanswered) {
        if (!row.isOf(member.index(), incarnation)) {
            return;
        }
        if (unanswered == MOST_PROBES_UNANSWERED) {
            row.clear();
            return;
        }
        boolean[] answered = {false};
        int store = member.world().storeEndpoint();
        member.world()
                .network()
                .send(
                        new RunWatcher.Way(store, member.index()),
                        MessageKind.HEARTBEAT,
                        "probe",
                        () -> member.world()
                                .network()
                                .send(new RunWatcher.Way(member.index(), store), MessageKind.HEARTBEAT, "probe", () -> {
                                    answered[0] = true;
                                    if (!member.isUp() || member.incarnation() != incarnation) {
                                        release(incarnation);
                                    }
                                }));
        member.world().agenda().in(PROBE_NANOS, () -> probe(incarnation, answered[0] ? 0 : unanswered + 1));
    }
}
