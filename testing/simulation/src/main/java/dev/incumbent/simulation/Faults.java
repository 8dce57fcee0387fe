package dev.incumbent.simulation;

import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.CandidateRank;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What goes wrong in a world, and how it ceases. */
final class Faults {
    private static final int ONCE_MORE_LEASES = 25;

    private final World world;
    private final List<Node> broken = new ArrayList<>();
    private final Troubles troubles;
    private final PeerFaults peerFaults;
    private final StoreClock storeClock;
    private boolean ceased;
    private long healedAt;

    Faults(World world) {
        this.world = world;
        this.troubles = new Troubles(world.nodes().size());
        this.storeClock = new StoreClock(world);
        this.peerFaults = new PeerFaults(world);
    }

    /** When the last of all troubles has ended, or will. */
    long healedAt() {
        return healedAt;
    }

    /** Until when something but its users' code may keep a process there from renewing its lease. */
    long troubledUntil(Node node) {
        return troubles.until(node);
    }

    boolean haveCeased() {
        return ceased;
    }

    /** Is that machine left broken for ever? */
    boolean isBroken(Node node) {
        return broken.contains(node);
    }

    void happen(Fault fault) {
        if (ceased) {
            return;
        }
        world.trace(() -> "fault " + fault);
        world.nodes().forEach(Node::guardsMayChange);
        Node node = world.nodes().get(fault.node() % world.nodes().size());
        troubles.happen(fault, node.index());
        long until = world.now() + fault.lengthNanos();
        switch (fault.kind()) {
            case PAUSE -> pause(node, until);
            case PAUSE_THE_LEADER -> leader(fault).ifPresent(leader -> pause(leader.node(), until));
            case PAUSE_BETWEEN_CHECK_AND_EFFECT ->
                leader(fault).ifPresent(leader -> leader.node().gapNext(fault.lengthNanos()));
            case CRASH -> crash(node, fault);
            case CUT -> cut(node, until);
            case CUT_REQUESTS -> node.toStore().cutUntil(until);
            case CUT_REPLIES -> node.fromStore().cutUntil(until);
            case CUT_THE_LEADER -> leader(fault).ifPresent(leader -> cut(leader.node(), until));
            case CUT_FROM_SINKS -> cutFromSinks(node, until, fault.amount());
            case SLOW ->
                node.links()
                        .forEach(link -> link.slowUntil(until, world.profile().leaseNanos() / 4));
            case LOSSY -> node.links().forEach(link -> link.lossyUntil(until));
            case DOUBLE -> node.links().forEach(link -> link.doubling(fault.amount() % 3 != 0));
            case STORE_DOWN -> world.nodes().forEach(one -> cut(one, until));
            case LEASES_LOST, STORE_RESTORED, STORE_CLOCK_BACK, STORE_CLOCK_FORWARD -> ofTheStore(fault);
            case WATCH_SILENT -> node.watchesNothingUntil(until);
            case CLOCK_RATE -> node.clock().rate(world.anotherRate());
            case SINK_BACK -> sinkBack(fault);
            default -> ofTheTask(fault, node);
        }
    }

    private void ofTheStore(Fault fault) {
        Duration step = Duration.ofNanos(fault.lengthNanos());
        switch (fault.kind()) {
            case LEASES_LOST -> {
                world.reach(Milestone.LEASES_LOST_TOGETHER);
                Duration beyond = world.timing().lease().multipliedBy(2);
                world.store().stepClock(beyond);
                world.store().stepClock(beyond.negated());
            }
            case STORE_RESTORED -> {
                MemoryStore.Backup backup = world.store().backup();
                world.agenda().in(fault.lengthNanos(), () -> restore(backup));
            }
            case STORE_CLOCK_BACK -> {
                world.reach(Milestone.STORE_CLOCK_STEPPED_BACK);
                storeClock.back(step);
            }
            default -> storeClock.forward(step);
        }
    }

    private void restore(MemoryStore.Backup backup) {
        if (!ceased) {
            world.restore(backup);
        }
    }

    private void ofTheTask(Fault fault, Node node) {
        switch (fault.kind()) {
            case STUBBORN_TASK -> node.stubbornNext();
            case FAILING_TASK -> leader(fault).flatMap(Player::task).ifPresent(SimulatedTask::fail);
            case FAILING_TASKS -> node.failsItsTasksUntil(world.now() + 2 * fault.lengthNanos());
            case UNHEALTHY -> unhealthy(node, fault);
            case RESIGN -> leader(fault).ifPresent(Player::resign);
            case TRANSFER -> leader(fault).ifPresent(leader -> leader.transferTo(node.candidate()));
            case SUSPECT -> suspect(fault, node);
            case WITHDRAW -> withdraw(node, fault);
            case FREEZE -> world.operator().freeze(election(fault), fault.lengthNanos());
            case ROLLING -> node.crash(fault.lengthNanos() / 4);
            case TYPO -> typo(fault);
            case PRIORITY -> node.comesBackWithRank(rank(fault.amount()), fault.lengthNanos() / 4);
            case MOVES -> moves(fault, node);
            case STONITH -> world.power().failsUntil(world.now() + fault.lengthNanos());
            case CORDON -> world.operator().cordon(election(fault), node.candidate(), fault.amount());
            case PLANNED_TRANSFER -> world.operator().plan(election(fault), node.candidate(), fault);
            case OPERATOR_TRANSFER -> world.operator().transfer(election(fault), node.candidate());
            default -> ofTheDriver(fault, node);
        }
    }

    /** What the driver meets beside the network: its threads, its user's code, and its user's hand. */
    private void ofTheDriver(Fault fault, Node node) {
        long until = world.now() + fault.lengthNanos();
        switch (fault.kind()) {
            case SUSPEND -> suspend(node, until);
            case WALL_STEP -> node.clock().stepWall(fault.lengthNanos() * (fault.amount() % 2 == 0 ? 1 : -1));
            case STARVED_DRIVER -> starve(node, until);
            case CALLS_FAIL -> {
                Calling kind = Calling.ALL.get((int) (fault.amount() % Calling.ALL.size()));
                Calling.Fails how = Calling.FAILURES.get((int) (fault.amount() / 8 % 3));
                node.failsCalls(kind, how, until);
            }
            case CALLS_THROW -> node.throwsAtCallsUntil(world.now() + fault.lengthNanos() / 3, fault.amount() % 2 == 0);
            case ONE_SINK_UNHEARD -> node.hearsNothingOf((int) (fault.amount() % 2), until);
            case LISTENERS_THROW -> node.listenersThrowUntil(until);
            case USER_CODE_BLOCKS -> {
                node.userCodeBlocksUntil(until);
                node.players().forEach(Player::listens);
            }
            case NO_THREAD -> node.startsNoThreadNext();
            case UNWELL_WHILE_CLAIMING -> {
                node.unwellAtTheNextClaim();
                world.agenda().in(2 * fault.lengthNanos(), () -> node.players().forEach(player -> player.well(true)));
            }
            case STAND_AGAIN ->
                node.player(election(fault)).filter(Player::wantsToLead).ifPresent(this::standsAgain);
            case CLOSE_ALL -> closeAll(node, fault.lengthNanos());
            case PREEMPTED_UNHEARD -> leader(fault).ifPresent(leader -> preempt(leader, fault));
            case HEARD -> peerFaults.happen(fault, node);
            case CALLED_TWICE ->
                new RepeatedCalls(world, fault, node.candidate()).begin(leader(fault), node.player(election(fault)));
            default -> throw new IllegalStateException("nothing makes " + fault.kind() + " happen");
        }
    }

    private static CandidateRank rank(long amount) {
        long version = amount / 5 % 4;
        return CandidateRank.PLAIN
                .withPriority((int) (amount % 5) - 2)
                .withVersion(version == 0 ? "" : "1." + (version + 8))
                .withOldestFirst(amount / 20 % 4 == 0)
                .withZone("z" + amount / 80 % 2)
                .withPreferredZone(amount / 160 % 2 == 0 ? "z0" : "");
    }

    /** What a leader that moves heeds changes: a cordon, or how far somebody has come. */
    private void moves(Fault fault, Node node) {
        if (fault.amount() % 3 == 0) {
            node.players().forEach(player -> player.reaches(fault.amount()));
        } else {
            world.operator().cordon(election(fault), node.candidate(), fault.amount());
        }
    }

    private void preempt(Player leader, Fault fault) {
        Preemption.By by = fault.amount() % 3 == 0 ? Preemption.By.WATCH : Preemption.By.READ;
        leader.node().preempts(Optional.of(new Preemption(world, leader, by)));
    }

    private void standsAgain(Player player) {
        world.reach(Milestone.STOOD_AGAIN);
        player.withdraw();
        player.stand();
    }

    private void closeAll(Node node, long downFor) {
        if (node.players().stream().anyMatch(player -> player.task().isPresent())) {
            world.reach(Milestone.CLOSED_UNDER_A_TASK);
        }
        node.close(downFor);
    }

    private void suspend(Node node, long until) {
        if (node.players().stream().anyMatch(Player::guardHolds)) {
            world.reach(Milestone.SUSPENDED_WHILE_LEADING);
        }
        node.clock().suspendUntil(until);
    }

    private void starve(Node node, long until) {
        if (node.players().stream().anyMatch(Player::guardHolds)) {
            world.reach(Milestone.DRIVER_STARVED_WHILE_LEADING);
        }
        node.starvesUntil(until);
    }

    /** Nothing more goes wrong; some machines are left broken for ever, and whoever has withdrawn stays so where another stands. */
    void cease() {
        ceased = true;
        healedAt = world.now();
        troubles.everywhereUntil(healedAt);
        world.agenda().in(ONCE_MORE_LEASES * world.profile().leaseNanos(), this::troubleOnceMore);
        world.peers().heal();
        for (Node node : world.nodes()) {
            node.links().forEach(Link::heal);
            node.clock().resume();
            node.recover();
            if (world.profile().isRolling()) {
                node.crash(1);
            }
            boolean last = broken.size() == world.nodes().size() - 1;
            if (!last && world.draws().oneIn(World.CORE_STREAM, 5)) {
                breakForEver(node);
            } else if (!node.isUp()) {
                node.start();
            }
            if (!broken.contains(node)) {
                node.players().forEach(player -> player.task().ifPresent(SimulatedTask::reform));
            }
            node.players().forEach(player -> player.well(true));
        }
        world.elections().forEach(this::letSomebodyStand);
        world.operator().thawWhatIsFrozen();
    }

    /** Long after they have recovered something happens once more to who leads, or to all, and they must recover again. */
    private void troubleOnceMore() {
        world.inspectors().recovered();
        long lease = world.profile().leaseNanos();
        List<Node> leading = world.nodes().stream()
                .filter(node ->
                        !broken.contains(node) && node.players().stream().anyMatch(Player::guardHolds))
                .toList();
        int kind = (int) world.draws().below(World.CORE_STREAM, 4);
        long until = world.now() + lease * world.draws().between(World.CORE_STREAM, 2, 8) / 4;
        healedAt = until;
        troubles.everywhereUntil(until);
        world.reach(Milestone.TROUBLED_ONCE_MORE);
        world.trace(() -> "trouble once more " + kind + " until " + until);
        switch (kind) {
            case 0 -> leading.forEach(node -> node.crash(until - world.now()));
            case 1 -> leading.forEach(node -> cut(node, until));
            case 2 -> leading.forEach(node -> pause(node, until));
            default -> world.nodes().forEach(node -> cut(node, until));
        }
    }

    private void letSomebodyStand(ElectionName election) {
        List<Player> able = world.nodes().stream()
                .filter(node -> !broken.contains(node))
                .flatMap(node -> node.player(election).stream())
                .toList();
        if (able.stream().noneMatch(Player::wantsToLead)) {
            able.forEach(Player::stand);
        }
    }

    private void breakForEver(Node node) {
        broken.add(node);
        switch ((int) world.draws().below(World.CORE_STREAM, 6)) {
            case 0 -> node.toStore().cutUntil(Long.MAX_VALUE);
            case 1 -> {
                node.fromStore().cutUntil(Long.MAX_VALUE);
                node.toStore().lossyUntil(Long.MAX_VALUE);
            }
            case 2 -> node.toSinks().cutUntil(Long.MAX_VALUE);
            case 3 -> node.clock().pauseUntil(Long.MAX_VALUE);
            case 4 -> stallForEver(node);
            default -> node.crash(Long.MAX_VALUE);
        }
    }

    /** Its tasks never stop again. */
    private static void stallForEver(Node node) {
        node.stubbornForEver();
        node.players().forEach(player -> {
            player.task().ifPresent(SimulatedTask::neverStops);
            player.resign();
        });
    }

    boolean isCut(Node node) {
        return node.links().stream().limit(2).anyMatch(Link::isCut);
    }

    private void pause(Node node, long until) {
        if (node.players().stream().anyMatch(Player::guardHolds)) {
            world.reach(Milestone.PAUSED_WHILE_LEADING);
        }
        node.clock().pauseUntil(until);
    }

    private static void crash(Node node, Fault fault) {
        int effects = (int) (fault.amount() % 7) + 1;
        if (fault.amount() % 2 == 0) {
            node.crash(fault.lengthNanos());
        } else if (fault.amount() % 4 == 1) {
            node.crashAfter(effects, fault.lengthNanos());
        } else {
            node.crashWhileFencing(1 + effects / 3, fault.lengthNanos());
        }
    }

    private static void cut(Node node, long until) {
        node.toStore().cutUntil(until);
        node.fromStore().cutUntil(until);
    }

    private static void cutFromSinks(Node node, long until, long amount) {
        if (amount % 3 != 0) {
            node.toSinks().cutUntil(until);
        }
        if (amount % 3 != 1) {
            node.fromSinks().cutUntil(until);
        }
    }

    private void sinkBack(Fault fault) {
        List<SinkModel> sinks = world.sinks();
        if (!sinks.isEmpty()) {
            SinkModel sink = sinks.get((int) (fault.amount() % sinks.size()));
            sink.keepCopy();
            world.agenda().in(fault.lengthNanos(), () -> {
                if (!ceased) {
                    sink.goBackToTheCopy();
                }
            });
        }
    }

    /** A write arrives that shows a token nobody was given. */
    private void typo(Fault fault) {
        List<SinkModel> sinks = world.sinks();
        SinkModel sink = sinks.get((int) (fault.amount() % sinks.size()));
        ElectionName election = election(fault);
        long mark = sink.mark(election).map(m -> m.token().value()).orElse(1L);
        sink.admit(election, new FencingToken(mark + 1 + fault.amount()), Begun.NOBODYS);
    }

    private void unhealthy(Node node, Fault fault) {
        node.players().forEach(player -> player.well(false));
        world.agenda().in(fault.lengthNanos(), () -> node.players().forEach(player -> player.well(true)));
    }

    /** One in three stays so. */
    private void withdraw(Node node, Fault fault) {
        List<Player> those = node.players().stream().filter(Player::wantsToLead).toList();
        those.forEach(Player::withdraw);
        if (fault.amount() % 3 != 0) {
            world.agenda().in(fault.lengthNanos(), () -> those.forEach(this::standsIfItMay));
        }
    }

    private void standsIfItMay(Player player) {
        if (player.process().isAlive() && !player.wantsToLead() && !ceased) {
            player.stand();
        }
    }

    private void suspect(Fault fault, Node node) {
        ElectionName election = election(fault);
        node.player(election)
                .ifPresent(player -> player.suspects(world.record(election).record(), true));
    }

    private ElectionName election(Fault fault) {
        return world.elections().get((int) (fault.amount() % world.elections().size()));
    }

    private Optional<Player> leader(Fault fault) {
        return world.nodes().stream()
                .flatMap(node -> node.player(election(fault)).stream())
                .filter(Player::guardHolds)
                .findFirst();
    }
}
