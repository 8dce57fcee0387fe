package dev.incumbent.simulation;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.Wire;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The way of one process to its store: its calls cross failing links, some kinds of them alone may fail, and it may crash at any of them. */
final class Door extends StoreBugs.Whole {
    private static final int MOST_CALLS = 150;

    /** In request timeouts; three times the contract's. Each process reads the records with each renewal, so that these questions decide little. */
    private static final int WATCHES_ASKED_EVERY = 6;

    private final World world;
    private final SimulatedProcess process;
    private final List<Deaf> watches = new ArrayList<>();
    private long countedSince;
    private int calls;

    Door(World world, SimulatedProcess process) {
        super(connected(world, process));
        this.world = world;
        this.process = process;
    }

    private static Coordinator connected(World world, SimulatedProcess process) {
        Node node = process.node();
        Wire wire = new Wire() {
            @Override
            public void toStore(Runnable arrival) {
                node.toStore().carry(arrival);
            }

            @Override
            public void toClient(Runnable arrival) {
                node.fromStore()
                        .carry(() -> node.clock().whenAwake(() -> {
                            if (process.isAlive()) {
                                arrival.run();
                            }
                        }));
            }
        };
        Duration timeout = world.timing().requestTimeout();
        return world.broken(MemoryCoordinator.connect(
                world.store(), wire, node.clock(), timeout, timeout.multipliedBy(WATCHES_ASKED_EVERY)));
    }

    @Override
    public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
        return pass(Calling.KEEP_ALIVES, true, () -> super.grant(owner, timeToLive));
    }

    @Override
    public CompletionStage<Void> keepAlive(LeaseId lease) {
        return pass(Calling.KEEP_ALIVES, true, () -> super.keepAlive(lease));
    }

    @Override
    public CompletionStage<Void> revoke(LeaseId lease) {
        if (process.isAlive()) {
            world.inspectors().revoking(process, lease);
        }
        return pass(Calling.KEEP_ALIVES, true, () -> super.revoke(lease));
    }

    @Override
    public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
        CompletionStage<Map<ElectionName, Reading>> read = pass(Calling.READS, false, () -> super.read(elections));
        return world.profile().kinds().contains(Fault.Kind.PREEMPTED_UNHEARD) ? preempted(read) : read;
    }

    private <T> CompletionStage<T> preempted(CompletionStage<T> read) {
        CompletableFuture<T> told = new CompletableFuture<>();
        read.whenComplete((value, failure) -> {
            if (failure == null) {
                Optional<Long> late = process.node().answered(Preemption.By.READ);
                late.ifPresent(nanos -> watches.forEach(watch -> later(late, watch::lags)));
                later(late, () -> told.complete(value));
            } else {
                told.completeExceptionally(failure);
            }
        });
        return told;
    }

    private void later(Optional<Long> nanos, Runnable telling) {
        if (nanos.isEmpty()) {
            telling.run();
        } else {
            DriftingClock clock = process.node().clock();
            clock.at(clock.nanos() + nanos.get(), telling);
        }
    }

    @Override
    public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
        CompletionStage<Swap> swap = pass(Calling.SWAPS, true, () -> super.swap(election, expected, next));
        process.player(election).swaps(next, swap);
        return swap;
    }

    @Override
    public CompletionStage<Void> enlist(ElectionName election, Enlisted candidate) {
        return pass(Calling.LISTS, true, () -> super.enlist(election, candidate));
    }

    @Override
    public CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate) {
        return pass(Calling.LISTS, true, () -> super.withdraw(election, candidate));
    }

    @Override
    public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections) {
        return pass(Calling.LISTS, false, () -> super.candidates(elections));
    }

    @Override
    public Watch watch(ElectionName election, Watcher watcher) {
        Deaf deaf = new Deaf(watcher);
        watches.add(deaf);
        return super.watch(election, deaf);
    }

    /** Where the process has crashed nobody calls any more; where that kind of call fails, so does this one. */
    private <T> CompletionStage<T> pass(Calling kind, boolean writes, Supplier<CompletionStage<T>> call) {
        Node node = process.node();
        if (!process.isAlive() || node.crashesNow()) {
            return new CompletableFuture<>();
        }
        if (spins()) {
            return new CompletableFuture<>();
        }
        if (node.throwsAtCalls()) {
            world.reach(Milestone.COORDINATOR_THREW);
            if (writes && node.refusesWrites()) {
                return CompletableFuture.failedFuture(new CoordinatorException("a coordinator that refuses", false));
            }
            throw new IllegalStateException("a coordinator that throws at once");
        }
        Calling.Fails fails = node.calling(kind);
        if (fails == Calling.Fails.NOT) {
            return call.get();
        }
        world.reach(Milestone.ONE_KIND_OF_CALL_FAILED);
        CompletableFuture<T> answer = new CompletableFuture<>();
        long timeout = world.timing().requestTimeout().toNanos();
        if (fails != Calling.Fails.UNSENT) {
            long late = fails == Calling.Fails.LATE
                    ? world.draws().below(node.stream(Node.Stream.TASK), timeout)
                    : 2 * timeout;
            CompletionStage<T> sent = call.get();
            sent.whenComplete((value, failure) -> node.clock().at(node.clock().nanos() + late, () -> {
                if (failure == null) {
                    answer.complete(value);
                } else {
                    answer.completeExceptionally(failure);
                }
            }));
        }
        node.clock()
                .at(
                        node.clock().nanos() + timeout,
                        () -> answer.completeExceptionally(
                                new CoordinatorException("no answer to one of the " + kind, writes)));
        return answer;
    }

    /** Counts the calls of this lease. Whoever spins might do so at one instant for ever: its process ends there. */
    private boolean spins() {
        long lease = world.profile().leaseNanos();
        if (world.now() - countedSince > lease) {
            countedSince = world.now();
            calls = 0;
        }
        if (++calls > MOST_CALLS * world.elections().size()) {
            world.violated(
                    "NobodySpinsTheStore",
                    process.candidate() + " has called the store " + calls + " times within a lease");
            process.die(false);
        }
        return !process.isAlive();
    }

    /** What a silent watch has lost it makes good by a gap, as its contract wants it: a proof before that would speak of what it never told. */
    private final class Deaf implements Watcher {
        private final Watcher watcher;
        private boolean missed;
        private Optional<ObservedRecord> last = Optional.empty();

        Deaf(Watcher watcher) {
            this.watcher = watcher;
        }

        @Override
        public void changed(ObservedRecord record) {
            hear(() -> {
                last = Optional.of(record);
                watcher.changed(record);
            });
        }

        /** Tells once more what it told last, whatever has happened since: a watch may lag. */
        void lags() {
            last.ifPresent(watcher::changed);
        }

        @Override
        public void gap() {
            world.reach(Milestone.WATCH_GAPPED);
            hear(watcher::gap);
        }

        @Override
        public void currentAsOf(long sentAtNanos) {
            Runnable telling = () -> watcher.currentAsOf(sentAtNanos);
            Optional<Long> late = missed ? Optional.empty() : process.node().answered(Preemption.By.WATCH);
            if (late.isPresent()) {
                later(late, telling);
            } else {
                hear(telling);
            }
        }

        private void hear(Runnable what) {
            if (!process.node().watches()) {
                missed = true;
                world.reach(Milestone.WATCH_SILENCED);
                return;
            }
            if (missed) {
                missed = false;
                watcher.gap();
            }
            what.run();
        }
    }
}
