package dev.incumbent.protocol;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Role;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.Bounds.Fault;
import dev.incumbent.protocol.Event.TaskOutcome;
import dev.incumbent.protocol.World.Ask;
import dev.incumbent.protocol.World.Ledger;
import dev.incumbent.protocol.World.Peer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * All that can happen to a few processes that run the real machine over one coordinator and one sink.
 *
 * <p>A tick is a second; a lease lasts three. Every answer may come at any later moment, or not at all; a process may sleep through any wake-up; a lease
 * dies at any moment after it has run out at the coordinator. Whatever {@link Bounds.Fault} is allowed goes wrong as often as its {@link Bounds} say.
 */
final class Worlds implements Explorer.Space<World> {
    /** The machine, or a broken twin of it. */
    interface Machine {
        Step<ElectionState, Effect> step(ElectionState state, Event event, Moment now);
    }

    static final int LEASE = 2;
    static final long SECOND = 1_000_000_000L;
    static final SinkId DISK = new SinkId("disk");
    private static final int MOST_STEPS = 40;
    private static final Moment NOW = new Moment(0, Instant.EPOCH);
    private static final Timing TIMING = new Timing(
            Duration.ofSeconds(LEASE),
            Duration.ofMillis(500),
            Duration.ofMillis(250),
            Duration.ofMillis(500),
            Duration.ZERO,
            0,
            Timing.LEAST_MARGIN);

    private final Bounds bounds;
    private final List<Candidate> candidates = new ArrayList<>();
    private final List<Enlisted> line = new ArrayList<>();
    private final List<Machine> machines = new ArrayList<>();
    private final Hands hands;
    private final Interner<TinyStore> stores = new Interner<>();
    private final Interner<Ledger> ledgers = new Interner<>();
    private final Interner<Peer> peers = new Interner<>();

    Worlds(Bounds bounds, Function<ElectionProtocol, Machine> twin) {
        this.bounds = bounds;
        Map<SinkId, String> sinks = bounds.fenced() ? Map.of(DISK, "disk") : Map.of();
        for (int i = 0; i < bounds.peers(); i++) {
            String name = String.valueOf((char) ('a' + i));
            Candidate candidate = new Candidate(new CandidateId(name), name, "");
            candidates.add(candidate);
            line.add(new Enlisted(candidate, lease(i, 1), Instant.EPOCH, sinks.keySet()));
            Setup setup = new Setup(
                    new ElectionName("e"),
                    candidate,
                    TIMING,
                    sinks,
                    new Succession(Duration.ZERO, Duration.ZERO, Optional.empty()),
                    Features.OF_THIS_VERSION,
                    Optional.empty());
            machines.add(twin.apply(new ElectionProtocol(PowerSwitch.connected(bounds, candidate, setup))));
        }
        hands = new Hands(bounds, candidates);
    }

    /** One happening in the making: the world being changed, and the first invariant that it broke. */
    final class Now {
        TinyStore store;
        Ledger ledger;
        final List<Interner.One<Peer>> all;
        Optional<String> broken = Optional.empty();

        Now(World world) {
            store = world.store().value();
            ledger = world.ledger().value();
            all = new ArrayList<>(world.peers());
        }

        Candidate candidate(int i) {
            return candidates.get(i);
        }

        Peer peer(int i) {
            return all.get(i).value();
        }

        void set(int i, Peer peer) {
            all.set(i, peers.one(Aging.aged(peer, 0)));
        }

        void require(boolean holds, String invariant) {
            if (!holds && broken.isEmpty()) {
                broken = Optional.of(invariant);
            }
        }

        /** What is late, and can do nothing any more, is forgotten: a revision does not come again, and a mark only grows. */
        World world() {
            for (int i = 0; i < all.size(); i++) {
                List<Effect> late = peer(i).late().stream()
                        .filter(e -> World.canStillDo(e, store, bounds.may().contains(Fault.RESTORE)))
                        .distinct()
                        .toList();
                if (late.size() < peer(i).late().size()) {
                    set(i, peer(i).late(late));
                }
            }
            return new World(stores.one(store), ledgers.one(ledger), List.copyOf(all));
        }

        void step(int i, Event first) {
            Deque<Event> events = new ArrayDeque<>(List.of(first));
            int steps = 0;
            while (!events.isEmpty() && broken.isEmpty()) {
                require(steps++ < MOST_STEPS, "NoSpin");
                Step<ElectionState, Effect> step;
                try {
                    step = machines.get(i).step(peer(i).state(), events.remove(), NOW);
                } catch (RuntimeException e) {
                    require(false, "NothingIsThrown: " + e);
                    return;
                }
                require(step.wakeAtNanos() > NOW.nanos(), "WakesInTheFuture");
                set(i, peer(i).with(step.state(), peer(i).asks()));
                for (Effect effect : step.effects()) {
                    perform(i, effect, events);
                }
            }
        }

        private void perform(int i, Effect effect, Deque<Event> events) {
            Peer peer = peer(i);
            if (effect instanceof Effect.EnlistCandidate) {
                events.add(new Event.CandidateEnlisted());
            } else if (effect instanceof Effect.ListCandidates) {
                events.add(new Event.CandidatesListed(line, 0));
            } else if (effect instanceof Effect.BeginTerm b) {
                begins(i, b.term().number());
            } else if (effect instanceof Effect.EndTerm e) {
                require(peer.told() == e.term().number(), "CallbacksArePaired");
                set(i, peer.running(peer.task(), 0));
            } else if (effect instanceof Effect.ReadRecord
                    || effect instanceof Effect.ReadMark
                    || World.canBeLate(effect)) {
                long underWay = peer.asks().stream()
                        .filter(a -> a.effect().equals(effect))
                        .count();
                require(underWay == 0 || (underWay == 1 && effect instanceof Effect.ReadRecord), "NothingIsAskedTwice");
                List<Ask> more = new ArrayList<>(peer.asks());
                more.add(new Ask(effect, 0, Optional.empty()));
                set(i, peer.asking(List.copyOf(more)));
            }
        }

        private void begins(int i, long term) {
            Peer peer = peer(i);
            require(peer.told() == 0 && peer.task() == 0, "CallbacksArePaired");
            PowerSwitch.begins(this, bounds, i);
            require(ledger.begun().stream().noneMatch(b -> b.startsWith(term + " ")), "OneLeaderPerTerm");
            require(term > ledger.greatestBegun(), "TermsNeverRepeat");
            boolean closed = store.mark(DISK)
                    .filter(m -> m.owner() instanceof MarkOwner.OfFreeze)
                    .isPresent();
            require(!(closed && store.record().isFrozen() && store.observed().isVacant()), "NobodyLeadsOnceFrozen");
            ledger = ledger.begins(term, candidates.get(i).name());
            set(i, peer.running(term, term));
        }

        /** The store or the sink does what was asked. */
        Event done(int i, Effect effect, int askedAt) {
            if (effect instanceof Effect.SwapRecord swap) {
                return swapped(i, swap);
            } else if (effect instanceof Effect.FenceHolder fence) {
                return PowerSwitch.turnsOff(this, fence);
            } else if (effect instanceof Effect.RaiseMark raise) {
                store = store.raising(raise.sink(), raise.mark());
                Mark force = store.mark(raise.sink()).orElseThrow();
                return force.equals(raise.mark())
                        ? new Event.MarkRaised(raise.sink(), raise.mark())
                        : new Event.MarkRefused(raise.sink(), raise.mark(), force);
            }
            return effect instanceof Effect.ReadMark read
                    ? new Event.MarkRead(read.sink(), store.mark(read.sink()), askedAt * SECOND)
                    : new Event.RecordObserved(store.observed(), askedAt * SECOND);
        }

        private Event swapped(int i, Effect.SwapRecord swap) {
            ObservedRecord before = store.observed();
            if (!store.accepts(swap.expected())) {
                return new Event.SwapRefused(swap.next().nonce(), Optional.of(before));
            }
            LeaderRecord next = swap.next();
            boolean sameLeader = before.record().leader().equals(next.leader())
                    && before.record().term() == next.term();
            boolean mine =
                    before.record().leader().filter(candidates.get(i)::equals).isPresent();
            boolean preempts = bounds.fenced() && peer(i).hasHeard(before.record());
            require(!before.leaseAlive() || sameLeader || mine || preempts, "OnlyTheOwnerEndsItsTerm");
            boolean vacates = before.leaseAlive() && mine && next.leader().isEmpty();
            require(bounds.fenced() || !vacates || peer(i).task() == 0, "NoUnfencedVacancyWhileTheTaskRuns");
            require(
                    !(before.record().isFrozen()
                            && (!next.isFrozen()
                                    || (!sameLeader && next.leader().isPresent()))),
                    "NobodyWinsWhileFrozen");
            store = store.with(next);
            return new Event.SwapAccepted(next.nonce(), TinyStore.revision(next));
        }

        /** What must hold in every world. */
        void check() {
            boolean restored = bounds.may().contains(Fault.RESTORE);
            if (bounds.fenced() && ledger.greatestBegun() > 0) {
                require(
                        store.mark(DISK)
                                .filter(m -> m.token().value() >= ledger.greatestBegun())
                                .isPresent(),
                        "NothingStaleAfterTheRaise");
            }
            for (int i = 0; i < all.size(); i++) {
                Peer peer = peer(i);
                boolean believes = peer.task() != 0 && 0 < peer.state().validUntilNanos(TIMING);
                if (believes && !restored) {
                    require(store.alive().contains(lease(i, peer.lease())), "NoLeaderBeyondItsLease");
                    boolean isPreempted = bounds.may().contains(Fault.SUSPECT)
                            && store.record().term() > peer.task();
                    require(
                            isPreempted
                                    || store.record().names(candidates.get(i).id(), peer.task()),
                            "NoLeaderBeyondItsLease");
                }
                require(peer.told() == 0 || peer.state().role() == Role.LEADER, "CallbacksArePaired");
                if (orphaned(i, peer)) {
                    step(i, new Event.Woken());
                    require(!orphaned(i, peer(i)), "WhoIsNamedHoldsOrDisowns");
                }
            }
        }

        /** It knows that the record names it, holds no term, and has nothing under way about it. */
        private boolean orphaned(int i, Peer peer) {
            ElectionState state = peer.state();
            return !peer.gone()
                    && state.tenure().isEmpty()
                    && state.attempt().isEmpty()
                    && state.record().leader().filter(candidates.get(i)::equals).isPresent()
                    && state.known().notBefore().swapAtNanos() <= 0;
        }
    }

    @Override
    public World start() {
        TinyStore empty = bounds.fenced()
                ? TinyStore.EMPTY.with(
                        LeaderRecord.EMPTY.withSinks(Map.of(DISK, "disk")).written("0"))
                : TinyStore.EMPTY;
        Now start = new Now(new World(
                stores.one(empty), ledgers.one(new Ledger(Map.of(), List.of(), 0, 0, 0, Optional.empty())), List.of()));
        for (int i = 0; i < bounds.peers(); i++) {
            start.all.add(peers.one(new Peer(ElectionState.START, List.of(), List.of(), 0, 0, World.NONE, 1, false)));
            grant(start, i, 1);
            start.step(i, new Event.RecordObserved(start.store.observed(), 0));
            start.set(i, start.peer(i).asking(List.of()));
            start.step(i, new Event.Campaigned());
            while (bounds.led() && i == 0 && !start.peer(0).asks().isEmpty()) {
                Ask ask = start.peer(0).asks().get(0);
                Event answer = start.done(0, ask.effect(), 0);
                start.set(0, start.peer(0).asking(List.of()));
                start.step(0, answer);
            }
        }
        return start.world();
    }

    private static LeaseId lease(int i, int number) {
        return new LeaseId((char) ('A' + i) + "" + number);
    }

    private void grant(Now then, int i, int number) {
        LeaseId lease = lease(i, number);
        then.store = then.store.granting(lease);
        then.ledger = then.ledger.renewed(lease, LEASE);
        then.set(i, then.peer(i).leasing(number));
        then.step(i, new Event.LeaseGranted(lease, TIMING.lease(), 0));
    }

    @Override
    public void next(World world, Explorer.Visit<World> visit) {
        Happening happening = new Happening(world, visit);
        if (world.store().value().record().term() > bounds.terms()) {
            return;
        }
        happening.to(() -> "a second passes", then -> {
            then.ledger = then.ledger.aged();
            for (int i = 0; i < bounds.peers(); i++) {
                then.set(i, Aging.aged(then.peer(i), 1));
            }
        });
        for (int i = 0; i < bounds.peers(); i++) {
            Peer peer = world.peers().get(i).value();
            lease(happening, world, i, peer);
            late(happening, i, peer);
            if (!peer.gone()) {
                asks(happening, i, peer);
                life(happening, world, i, peer);
            }
        }
        hands.operator(happening, world);
        hands.restore(happening, world);
    }

    /** What may happen in one world. */
    final class Happening {
        final World world;
        private final Explorer.Visit<World> visit;

        Happening(World world, Explorer.Visit<World> visit) {
            this.world = world;
            this.visit = visit;
        }

        void to(Supplier<String> what, Consumer<Now> change) {
            Now then = new Now(world);
            change.accept(then);
            World next = then.world();
            if (next.equals(world) && then.broken.isEmpty()) {
                return;
            }
            if (then.broken.isEmpty()) {
                Now after = new Now(next);
                after.check();
                then.broken = after.broken;
            }
            visit.to(what, next, then.broken);
        }

        void fault(Fault fault, Supplier<String> what, Consumer<Now> change) {
            if (bounds.may().contains(fault) && world.ledger().value().faults() < bounds.faults()) {
                to(what, then -> {
                    then.ledger = then.ledger.oneMoreFault();
                    change.accept(then);
                });
            }
        }
    }

    private void lease(Happening happening, World world, int i, Peer peer) {
        LeaseId lease = lease(i, peer.lease());
        boolean alive = world.store().value().alive().contains(lease);
        int ends = world.ledger().value().ends().getOrDefault(lease, 0);
        String name = candidates.get(i).name();
        if (alive && ends <= 0) {
            happening.to(() -> lease + " dies", then -> then.store = then.store.killing(lease));
        }
        if (peer.gone()) {
            return;
        }
        if (alive && peer.keepAlive() == World.NONE) {
            happening.to(() -> name + "'s keep-alive is answered", then -> {
                then.ledger = then.ledger.renewed(lease, LEASE);
                then.step(i, new Event.LeaseRenewed(lease, 0));
            });
            happening.fault(Fault.SLOW, () -> name + "'s keep-alive reaches the store", then -> {
                then.ledger = then.ledger.renewed(lease, LEASE);
                then.set(i, then.peer(i).keepingAlive(0));
            });
        }
        if (peer.keepAlive() != World.NONE) {
            happening.to(() -> name + "'s keep-alive is answered late", then -> {
                then.set(i, then.peer(i).keepingAlive(World.NONE));
                then.step(i, new Event.LeaseRenewed(lease, peer.keepAlive() * SECOND));
            });
        }
        if (!alive && peer.state().lease().isPresent()) {
            happening.to(
                    () -> name + " hears that " + lease + " is dead", then -> then.step(i, new Event.LeaseLost(lease)));
        }
        if (!alive && peer.state().lease().isEmpty()) {
            happening.fault(
                    Fault.NEW_LEASE,
                    () -> name + " is granted another lease",
                    then -> grant(then, i, peer.lease() + 1));
        }
    }

    private void late(Happening happening, int i, Peer peer) {
        for (Effect effect : peer.late()) {
            happening.to(() -> "late: " + candidates.get(i).name() + "'s " + Line.of(effect), then -> {
                List<Effect> fewer = new ArrayList<>(peer.late());
                fewer.remove(effect);
                then.set(i, then.peer(i).late(List.copyOf(fewer)));
                then.done(i, effect, 0);
            });
        }
    }

    private void asks(Happening happening, int i, Peer peer) {
        String name = candidates.get(i).name();
        for (int k = 0; k < peer.asks().size(); k++) {
            Ask ask = peer.asks().get(k);
            if (PowerSwitch.works(happening, i, peer, ask)) {
                continue;
            }
            List<Ask> others = new ArrayList<>(peer.asks());
            others.remove(k);
            Supplier<String> what = () -> name + "'s " + Line.of(ask.effect());
            if (ask.answer().isEmpty()) {
                int at = k;
                happening.to(() -> what.get() + " is done", then -> {
                    Event answer = then.done(i, ask.effect(), ask.at());
                    List<Ask> all = new ArrayList<>(peer.asks());
                    all.set(at, new Ask(ask.effect(), ask.at(), Optional.of(answer)));
                    then.set(i, then.peer(i).asking(List.copyOf(all)));
                });
            } else {
                happening.to(() -> what.get() + " is answered", then -> {
                    then.set(i, then.peer(i).asking(List.copyOf(others)));
                    then.step(i, ask.answer().get());
                });
            }
            happening.fault(Fault.UNANSWERED, () -> what.get() + " is given up", then -> {
                List<Effect> late = new ArrayList<>(peer.late());
                if (ask.answer().isEmpty() && World.canBeLate(ask.effect())) {
                    late.add(ask.effect());
                }
                then.set(i, then.peer(i).late(List.copyOf(late)).asking(List.copyOf(others)));
                then.step(i, ask.unanswered());
            });
        }
    }

    private void life(Happening happening, World world, int i, Peer peer) {
        String name = candidates.get(i).name();
        TinyStore store = world.store().value();
        happening.to(() -> name + " wakes", then -> then.step(i, new Event.Woken()));
        if (peer.state().tenure().isPresent()) {
            happening.to(
                    () -> name + " reads the proof",
                    then -> then.step(i, new Event.RecordObserved(store.observed(), 0)));
        }
        if (Doubts.isNews(peer, store)) {
            happening.to(
                    () -> name + " is told by the watch",
                    then -> then.step(i, new Event.RecordChanged(store.observed())));
        }
        Doubts.about(happening, i, name);
        if (peer.task() != 0) {
            boolean interrupted =
                    peer.state().tenure().filter(t -> t.task().interrupted()).isPresent();
            if (interrupted) {
                happening.to(() -> name + "'s task returns", then -> returns(then, i, peer, TaskOutcome.RETURNED));
            } else {
                happening.fault(
                        Fault.FAIL, () -> name + "'s task throws", then -> returns(then, i, peer, TaskOutcome.THREW));
            }
        }
        if (peer.state().role() == Role.LEADER || peer.state().role() == Role.FENCING) {
            happening.fault(Fault.RESIGN, () -> name + " resigns", then -> then.step(i, new Event.ResignAsked()));
        }
        happening.fault(Fault.WITHDRAW, () -> name + " withdraws", then -> then.step(i, new Event.Withdrawn()));
        happening.fault(
                Fault.CRASH,
                () -> name + " crashes",
                then -> then.set(i, then.peer(i).killed()));
    }

    private static void returns(Now then, int i, Peer peer, TaskOutcome outcome) {
        then.set(i, then.peer(i).running(0, peer.told()));
        then.step(i, new Event.TaskReturned(peer.task(), outcome));
    }
}
