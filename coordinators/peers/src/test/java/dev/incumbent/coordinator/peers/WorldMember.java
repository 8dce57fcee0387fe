package dev.incumbent.coordinator.peers;

import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.raft.RaftDisk;
import dev.incumbent.protocol.Moment;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** The shipped machine as a world has it: its process may be killed within a step, and it may have a bug on purpose. */
final class WorldMember implements MemberMachine, MemberActions {
    private static final int NEVER = -1;

    private final MemberActions driver;
    private final MemberMachine machine;
    private final WorldHooks hooks;
    private int effectsUntilKilled = NEVER;
    private OptionalLong toldToStop = OptionalLong.empty();

    /**
     * What its world gives it.
     *
     * @param jumpingClock takes a wall clock that was set for a suspend
     * @param kill ends its process
     * @param elected hears of each term that it is elected for
     */
    record WorldHooks(Optional<PeerFlaw> flaw, LongSupplier jumpingClock, Runnable kill, LongConsumer elected) {}

    WorldMember(MemberActions driver, Function<MemberActions, MemberMachine> shipped, WorldHooks hooks) {
        this.driver = driver;
        this.hooks = hooks;
        this.machine = shipped.apply(this);
    }

    /** What ends a step whose process is killed. */
    private static final class KilledError extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** As by SIGKILL, in its next step that has effects, after so many of them. */
    void killWithin(int effects) {
        effectsUntilKilled = effects;
    }

    private boolean has(PeerFlaw one) {
        return hooks.flaw().filter(one::equals).isPresent();
    }

    private void effect() {
        if (effectsUntilKilled == 0) {
            hooks.kill().run();
            throw new KilledError();
        }
        if (effectsUntilKilled > 0) {
            effectsUntilKilled--;
        }
    }

    private void stepped(Moment now) {
        OptionalLong stops = toldToStop;
        toldToStop = OptionalLong.empty();
        if (stops.isPresent() && has(PeerFlaw.SAYS_STOPPED_WHILE_THE_TASK_RUNS)) {
            machine.stopped(stops.getAsLong(), now);
        }
    }

    @Override
    public void persist(RaftDisk disk) {
        effect();
        if (!has(PeerFlaw.FORGETS_WHAT_IT_PERSISTED)) {
            driver.persist(disk);
        }
    }

    @Override
    public long passedNanos() {
        return has(PeerFlaw.PROMISES_BY_A_CLOCK_THAT_JUMPS)
                ? hooks.jumpingClock().getAsLong()
                : driver.passedNanos();
    }

    @Override
    public void send(MemberId to, byte[] message) {
        effect();
        driver.send(to, message);
    }

    @Override
    public void begin(long term) {
        effect();
        hooks.elected().accept(term);
        driver.begin(term);
    }

    @Override
    public void stop(long term) {
        effect();
        toldToStop = OptionalLong.of(term);
        driver.stop(term);
    }

    @Override
    public void started(Optional<RaftDisk> disk, Moment now) {
        Optional<RaftDisk> there = has(PeerFlaw.TAKES_A_WIPED_DISK_FOR_A_NEW_ONE)
                ? disk.or(() -> Optional.of(new RaftDisk(VirtualGroup.ELECTION.value(), 0, Optional.empty())))
                : disk;
        machine.started(there, now);
        stepped(now);
    }

    @Override
    public void received(MemberId from, byte[] message, Moment now) throws MessageException {
        machine.received(from, message, now);
        stepped(now);
    }

    @Override
    public void woken(Moment now) {
        machine.woken(now);
        stepped(now);
    }

    @Override
    public void transferAsked(MemberId successor, Moment now) {
        machine.transferAsked(successor, now);
        stepped(now);
    }

    @Override
    public void stopped(long term, Moment now) {
        machine.stopped(term, now);
        stepped(now);
    }

    @Override
    public void refused(long term, long inForce, Moment now) {
        if (!has(PeerFlaw.DEAF_TO_A_REFUSED_MARK)) {
            machine.refused(term, inForce, now);
            stepped(now);
        }
    }

    @Override
    public void setAble(boolean isAble, Moment now) {
        machine.setAble(isAble, now);
        stepped(now);
    }

    @Override
    public long wakeAtNanos() {
        return machine.wakeAtNanos();
    }

    @Override
    public Optional<MemberLead> lead() {
        long more = has(PeerFlaw.GUARDS_LONGER_THAN_ITS_LEASE) ? 4 * VirtualGroup.LEASE.toNanos() : 0;
        return machine.lead()
                .map(lead -> new MemberLead(
                        lead.term(), lead.sentAtNanos(), lead.stopAtNanos(), lead.validUntilNanos() + more));
    }

    @Override
    public Optional<MemberId> leader() {
        return machine.leader();
    }

    @Override
    public long term() {
        return machine.term();
    }

    @Override
    public boolean isWiped() {
        return machine.isWiped();
    }

    @Override
    public boolean isHeard(MemberId member, Moment now) {
        return machine.isHeard(member, now);
    }

    @Override
    public Optional<MemberId> successor() {
        return machine.successor();
    }
}
