package dev.incumbent.peers.raft;

import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.PeerGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A group of Raft members in virtual time: messages are lost, late and doubled, members crash, also within a step, stand still and lose their disks, links are cut, leaders are asked to
 * hand over, and sinks refuse marks. Everything follows from the seed. Holds to its invariants until one is broken.
 */
final class RaftWorld {
    static final long MILLI = 1_000_000;
    static final long SECOND = 1_000 * MILLI;
    static final RaftTiming TIMING = new RaftTiming(
            Duration.ofMillis(300),
            Duration.ofMillis(1_000),
            Duration.ofMillis(1_000),
            Duration.ofMillis(1_000),
            Duration.ofMillis(1_600),
            Duration.ofMillis(200),
            0.01);

    /** What a world meets. */
    enum Plan {
        /** Every fault, for 40 s, then none for 20 s. */
        FAULTS,
        /** Good links, and one member that is away for a while. */
        RETURNING
    }

    /**
     * How a world ended.
     *
     * @param broken the invariant that was broken; empty where all held
     * @param reached what happened, and how often
     */
    record Ending(Optional<String> broken, String how, long steps, Map<String, Integer> reached) {}

    private record Due(long at, long order, Runnable what) {}

    private final Plan plan;
    private final SplittableRandom draws;
    private final Consumer<String> trace;
    private final boolean isTraced;
    private final PriorityQueue<Due> agenda = new PriorityQueue<>(
            (a, b) -> a.at() != b.at() ? Long.compare(a.at(), b.at()) : Long.compare(a.order(), b.order()));
    private final Map<MemberId, RaftNode> nodes = new TreeMap<>();
    private final Map<Long, MemberId> terms = new TreeMap<>();
    private final Map<String, Integer> reached = new TreeMap<>();
    private final RaftLinks links;
    private Optional<String> broken = Optional.empty();
    private String how = "";
    private long now;
    private long order;
    private long steps;
    private long mark;

    private RaftWorld(long seed, Plan plan, Optional<RaftFlaw> flaw, Optional<Consumer<String>> trace) {
        this.plan = plan;
        this.draws = new SplittableRandom(seed);
        this.trace = trace.orElse(line -> {});
        this.isTraced = trace.isPresent();
        this.links = new RaftLinks(draws, plan == Plan.FAULTS);
        int size = draws.nextInt(4) == 0 ? 5 : 3;
        List<MemberId> ring = IntStream.range(0, size)
                .mapToObj(i -> new MemberId(Character.toString('a' + i)))
                .toList();
        for (MemberId id : ring) {
            PeerGroup group = new PeerGroup(id, ring);
            RaftMachine shipped = RaftNode.shipped(group);
            nodes.put(
                    id,
                    new RaftNode(
                            id,
                            this,
                            flaw.map(one -> one.around(shipped, group)).orElse(shipped)));
        }
    }

    static Ending run(long seed, Plan plan, Optional<RaftFlaw> flaw) {
        return new RaftWorld(seed, plan, flaw, Optional.empty()).run();
    }

    /** The same, told line by line. */
    static Ending run(long seed, Plan plan, Optional<RaftFlaw> flaw, Consumer<String> trace) {
        return new RaftWorld(seed, plan, flaw, Optional.of(trace)).run();
    }

    private Ending run() {
        nodes.values()
                .forEach(node -> at(draws.nextLong(50 * MILLI), () -> {
                    node.start();
                    node.found();
                }));
        if (plan == Plan.FAULTS) {
            new RaftFaults(this, links).begin();
        } else {
            at(10 * SECOND, this::sendOneAway);
        }
        long end = plan == Plan.FAULTS ? 60 * SECOND : 30 * SECOND;
        try {
            while (broken.isEmpty() && !agenda.isEmpty() && agenda.element().at() <= end) {
                Due due = agenda.remove();
                now = due.at();
                steps++;
                due.what().run();
            }
        } catch (RuntimeException e) {
            broken("NoMachineThrows", e.toString());
        }
        if (broken.isEmpty() && nodes.values().stream().noneMatch(RaftNode::holds)) {
            broken("SomeoneLeadsOnceFaultsCease", "nobody leads at the end");
        }
        return new Ending(broken, how, steps, reached);
    }

    /** A member that does not lead is cut off for eight seconds. */
    private void sendOneAway() {
        RaftNode away = nodes.values().stream()
                .filter(node -> node.task() == 0)
                .findFirst()
                .orElseThrow();
        tell(away.id + " is cut off");
        links.cutOff(away.id, nodes.keySet(), now + 8 * SECOND);
    }

    long now() {
        return now;
    }

    SplittableRandom draws() {
        return draws;
    }

    List<RaftNode> nodes() {
        return new ArrayList<>(nodes.values());
    }

    void at(long when, Runnable what) {
        agenda.add(new Due(Math.max(when, now), order++, what));
    }

    void send(RaftNode from, MemberId to, RaftMessage message) {
        RaftNode receiver = nodes.getOrDefault(to, from);
        for (long delay : links.delays(from.id, to, now)) {
            at(now + delay, () -> receiver.receive(from.id, message));
        }
    }

    void restart(RaftNode node) {
        long wait = draws.nextInt(2) == 0 ? draws.nextLong(20 * MILLI, 400 * MILLI) : draws.nextLong(3 * SECOND);
        at(now + wait, () -> {
            tell(node.id + " starts again");
            node.start();
        });
    }

    /** Mostly within the stop budget, now and then long after it. */
    long stopTime() {
        boolean late = plan == Plan.FAULTS && draws.nextInt(4) == 0;
        return draws.nextLong(1, (late ? 1_500 : 190) * MILLI);
    }

    /** The mark that is in force before this raise; the sink takes a greater one. */
    long raise(long term) {
        long before = mark;
        mark = Math.max(mark, term);
        return before;
    }

    /** Somebody else has raised the sink. */
    void raiseBeyond(long by) {
        mark = Math.max(
                        mark,
                        terms.keySet().stream().mapToLong(Long::longValue).max().orElse(0))
                + by;
        tell("the sink's mark is " + mark);
    }

    void begun(RaftNode node, long term) {
        reached("term begun");
        MemberId before = terms.putIfAbsent(term, node.id);
        if (before != null) {
            broken("ATermBeginsOnce", "term " + term + " began at " + before + " and begins at " + node.id);
        }
    }

    void stopping(MemberId id) {
        if (plan == Plan.RETURNING && now > 10 * SECOND) {
            broken("AReturningMemberDisturbsNobody", id + " stops leading");
        }
    }

    /** Asked after each step. */
    void check() {
        List<MemberId> holders = nodes.values().stream()
                .filter(RaftNode::holds)
                .map(node -> node.id)
                .toList();
        if (holders.size() > 1) {
            broken("OneHolderOfALease", holders + " hold leases");
        }
    }

    void reached(String what) {
        reached.merge(what, 1, Integer::sum);
    }

    void broken(String invariant, String why) {
        if (broken.isEmpty()) {
            broken = Optional.of(invariant);
            how = now / MILLI + " ms: " + why;
            tell(invariant + ": " + why);
        }
    }

    void tell(String line) {
        traced(() -> line);
    }

    void traced(Supplier<String> line) {
        if (isTraced) {
            trace.accept(now / MILLI + " " + line.get());
        }
    }
}
