package dev.incumbent.coordinator.peers;

import dev.incumbent.Leadership;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.fence.memory.MemoryStore;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.raft.RaftTiming;
import dev.incumbent.time.VirtualTimeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A group of the shipped driver in a seeded world, for a minute of faults and then without: members are killed, also within a step, stand still, are cut off, lose their disks, have disks that fail, close, fall
 * ill, hand over and stop late; messages are lost, late and doubled; wall clocks are set; somebody else raises the sink. Every second world has no clock since boot.
 */
final class PeerWorld {
    static final String ONE_GUARD = "OneGuardSaysYes";
    static final String ONE_MEMBER_A_TERM = "ATermIsLedByOneMember";
    static final String NO_TASK_UNDER_A_LEASE = "NoTaskBeginsUnderAnothersLease";
    static final String SOMEBODY_LEADS = "SomebodyLeadsOnceFaultsCease";

    private static final int STEPS = 2_400;
    private static final Duration STEP = Duration.ofMillis(25);
    /** A longest lease without votes after a start, then two elections of at most 5 s, a refused mark, and a task that stops late. */
    private static final Duration SOON = Duration.ofSeconds(20);

    /** As by default, with shorter elections, so that more of them meet faults. */
    private static final RaftTiming TIMING = new RaftTiming(
            RaftTiming.DEFAULT.heartbeat(),
            RaftTiming.DEFAULT.lease(),
            RaftTiming.DEFAULT.longestLease(),
            Duration.ofMillis(1_000),
            Duration.ofMillis(1_500),
            RaftTiming.DEFAULT.stopBudget(),
            RaftTiming.DEFAULT.driftBound());

    private final VirtualGroup group;
    private final MemorySink sink;
    private final SplittableRandom draws;
    private final Map<Long, MemberId> terms = new LinkedHashMap<>();
    /** Until when each running task may act, as far as was seen. */
    private final Map<Leadership, Long> validUntil = new LinkedHashMap<>();

    private final Map<String, Integer> reached = new TreeMap<>();
    private Optional<String> broken = Optional.empty();
    private String how = "";

    /**
     * How a world ended.
     *
     * @param broken the invariant that was broken first; empty where all held
     * @param reached what happened, and how often
     */
    record PeerEnding(Optional<String> broken, String how, Map<String, Integer> reached) {}

    private PeerWorld(VirtualGroup group, long seed) {
        this.group = group;
        this.draws = new SplittableRandom(~seed);
        this.sink = new MemorySink(new MemoryStore(new SinkId("ledger")), group.time, Duration.ofSeconds(5));
    }

    static PeerEnding run(long seed, Path folder, Optional<PeerFlaw> flaw) {
        VirtualTimeline time = seed % 2 == 0 ? new VirtualTimeline() : VirtualTimeline.withoutBootClock();
        int size = seed % 3 == 0 ? 5 : 3;
        try (VirtualGroup group = new VirtualGroup(PeerKind.RAFT, size, seed, folder, time)) {
            PeerWorld world = new PeerWorld(group, seed);
            group.found()
                    .timing(TIMING)
                    .flawed(flaw)
                    .telling(world::elected)
                    .guarding(world.sink)
                    .running(world::begun)
                    .startAll();
            world.run();
            return new PeerEnding(world.broken, world.how, world.reached);
        }
    }

    private void run() {
        group.losing(draws.nextInt(2) * 0.1);
        for (int step = 0; step < STEPS && broken.isEmpty(); step++) {
            if (draws.nextInt(45) == 0) {
                fault();
            }
            advance();
        }
        group.losing(0);
        group.slowing(0);
        group.heal();
        for (Duration left = Duration.ofSeconds(5); !left.isNegative(); left = left.minus(STEP)) {
            advance(); // whoever stands still goes on
        }
        group.ring().forEach(this::revive);
        group.ring().forEach(one -> group.member(one).driver().setHealthy(true, Optional.empty()));
        for (Duration left = SOON; !left.isNegative() && group.leaders().isEmpty(); left = left.minus(STEP)) {
            advance();
        }
        if (group.leaders().isEmpty()) {
            broken(SOMEBODY_LEADS, "nobody leads " + SOON + " after the faults have ceased: " + states());
        }
    }

    private void advance() {
        group.advance(STEP);
        Map<MemberId, Leadership> leaders = group.leaders();
        if (leaders.size() > 1) {
            broken(ONE_GUARD, leaders.keySet() + " lead at once");
        }
        leaders.values()
                .forEach(led ->
                        validUntil.put(led, group.time.nanos() + led.remaining().toNanos()));
    }

    /** A sink would refuse the second one, which is no reason to have two. */
    private void elected(MemberId me, long term) {
        MemberId before = terms.putIfAbsent(term, me);
        if (before != null) {
            broken(ONE_MEMBER_A_TERM, "term " + term + " is led by " + before + " and by " + me);
        }
    }

    /** A task begins: no other one may run under a lease. */
    private void begun(Leadership leadership) {
        reached("term begun");
        MemberId me = new MemberId(leadership.term().leader().name());
        for (MemberId other : group.others(me)) {
            if (group.isUp(other)) {
                group.member(other).platform().running().stream()
                        .filter(led -> validUntil.getOrDefault(led, Long.MIN_VALUE) > group.time.nanos())
                        .forEach(led -> broken(
                                NO_TASK_UNDER_A_LEASE,
                                leadership.term() + " begins while that of " + led.term() + " runs"));
            }
        }
    }

    private void fault() {
        MemberId one = any();
        boolean isUp = group.isUp(one);
        switch (draws.nextInt(15)) {
            case 0, 1 -> group.ring().forEach(this::revive);
            case 2 -> group.heal();
            case 3 -> cutOff(one);
            case 4 -> group.slowing(draws.nextInt(5) * 0.1);
            case 5 -> wallClocks(one);
            case 6 -> markOfSomebodyElse();
            case 7 -> wipe(one);
            default -> {
                if (isUp) {
                    process(one, group.member(one));
                }
            }
        }
    }

    private void process(MemberId one, VirtualGroup.VirtualMember member) {
        switch (draws.nextInt(11)) {
            case 0 -> {
                group.kill(one);
                restartSoon(one);
            }
            case 1 -> {
                member.killWithin(draws.nextInt(5));
                restartSoon(one);
            }
            case 2 -> group.pause(one, Duration.ofMillis(draws.nextLong(5_000)));
            case 3 -> member.driver().resign();
            case 4 -> member.driver().close();
            case 5 -> member.driver().setHealthy(draws.nextInt(4) > 0, Optional.empty());
            case 6 -> diskFails(one);
            case 9, 10 -> restartTheOthers(one);
            case 7 ->
                member.platform().stopsAfter(Duration.ofMillis(draws.nextLong(draws.nextBoolean() ? 150 : 1_500)));
            default ->
                group.leaders().keySet().stream()
                        .filter(leader -> !leader.equals(one))
                        .forEach(leader -> {
                            reached("transfer asked");
                            group.member(leader).driver().transfer(new CandidateId(one.value()));
                        });
        }
    }

    /** For up to four seconds. */
    private void cutOff(MemberId one) {
        group.cutOff(Set.of(one));
        group.time.at(
                group.time.nanos()
                        + Duration.ofMillis(draws.nextLong(300, 4_000)).toNanos(),
                group::heal);
    }

    private void restartSoon(MemberId one) {
        long wait = Duration.ofMillis(draws.nextLong(10, draws.nextBoolean() ? 300 : 3_000))
                .toNanos();
        group.time.at(group.time.nanos() + wait, () -> revive(one));
    }

    /** In the midst of the election that this one's silence begins: whom they have voted for is on their disks alone. */
    private void restartTheOthers(MemberId one) {
        cutOff(one);
        for (MemberId other : group.others(one)) {
            long at = group.time.nanos()
                    + Duration.ofMillis(draws.nextLong(1_000, 4_000)).toNanos();
            group.time.at(at, () -> {
                if (group.isUp(other)) {
                    group.member(other).killWithin(draws.nextInt(3));
                    restartSoon(other);
                }
            });
        }
    }

    /** One at a time: two members without their disks, and nobody knows what they have voted. */
    private void wipe(MemberId one) {
        boolean othersHaveDisks = group.others(one).stream()
                .allMatch(other -> Files.exists(group.folderOf(other).resolve("member")));
        if (othersHaveDisks && group.isUp(one)) {
            reached("disk wiped");
            group.kill(one);
            delete(group.folderOf(one).resolve("member"));
            group.start(one);
        }
    }

    /** From now on; until it is revived. */
    private void diskFails(MemberId one) {
        try {
            Files.createDirectories(group.folderOf(one).resolve("member.new"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A lease that its holder's clock has ended is used no more, though its task may take its time to stop. */
    private void wallClocks(MemberId any) {
        reached("wall clock set");
        MemberId but = group.leaders().keySet().stream().findFirst().orElse(any);
        if (draws.nextBoolean()) {
            cutOff(but);
        }
        Duration by = Duration.ofMillis(draws.nextLong(100, 10_000));
        group.others(but).stream().filter(group::isUp).map(group::member).forEach(member -> {
            member.platform().stepWall(by);
            member.platform().running().forEach(validUntil::remove);
        });
    }

    private void markOfSomebodyElse() {
        long beyond = terms.keySet().stream().mapToLong(Long::longValue).max().orElse(0) + draws.nextLong(1, 50);
        FencingToken token = new FencingToken(beyond);
        sink.raise(VirtualGroup.ELECTION, new Mark(token, MarkOwner.ofOperator("somebody")));
        group.leaders().values().forEach(led -> {
            reached("told stale");
            led.reportStale(new StaleTokenException(VirtualGroup.ELECTION, led.token(), token.toString()));
        });
    }

    /** Starts it where it is down, has left, or has a disk that fails. */
    private void revive(MemberId one) {
        boolean failing = Files.isDirectory(group.folderOf(one).resolve("member.new"));
        if (group.isUp(one) && (failing || group.member(one).driver().left().isDone())) {
            reached("left or failed");
            group.kill(one);
        }
        if (failing) {
            delete(group.folderOf(one).resolve("member.new"));
        }
        group.start(one);
    }

    private Map<MemberId, String> states() {
        Map<MemberId, String> states = new TreeMap<>();
        group.ring().forEach(one -> {
            PeerDriver driver = group.member(one).driver();
            states.put(one, driver.health() + " " + driver.machine().lead());
        });
        return states;
    }

    private MemberId any() {
        return group.ring().get(draws.nextInt(group.ring().size()));
    }

    private void reached(String what) {
        reached.merge(what, 1, Integer::sum);
    }

    private void broken(String invariant, String why) {
        if (broken.isEmpty()) {
            broken = Optional.of(invariant);
            how = why;
        }
    }
}
