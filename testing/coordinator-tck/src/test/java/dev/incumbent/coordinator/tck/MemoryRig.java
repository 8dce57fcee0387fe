package dev.incumbent.coordinator.tck;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.memory.FaultyWire;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.time.Timeline;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The memory store in virtual time: everything can be done to it. */
final class MemoryRig implements CoordinatorRig {
    static final ElectionName FOREIGN = new ElectionName("stands/for/a/foreign/name");
    static final ElectionName UNREADABLE_CANDIDATE = new ElectionName("stands/for/an/unreadable/candidate");

    /** What its clients look like to the tests: themselves, or a twin. */
    interface Dress {
        Coordinator around(Coordinator honest, VirtualTimeline time);
    }

    private final VirtualTimeline timeline = new VirtualTimeline();
    private final MemoryStore store = new MemoryStore(timeline);
    private final Dress dress;
    private final IdentityHashMap<Coordinator, SlowWire> wires = new IdentityHashMap<>();
    private Optional<MemoryStore.Backup> backup = Optional.empty();

    MemoryRig() {
        this((honest, time) -> honest);
    }

    MemoryRig(Dress dress) {
        this.dress = dress;
    }

    @Override
    public Coordinator connect() {
        SlowWire wire = new SlowWire(timeline);
        Coordinator client = dress.around(MemoryCoordinator.connect(store, wire, timeline, requestTimeout()), timeline);
        wires.put(client, wire);
        return client;
    }

    @Override
    public Timeline timeline() {
        return timeline;
    }

    @Override
    public Duration requestTimeout() {
        return Duration.ofMillis(250);
    }

    @Override
    public Duration lease() {
        return Duration.ofSeconds(2);
    }

    @Override
    public Duration slack() {
        return Duration.ofMillis(5);
    }

    @Override
    public void passTime(Duration length) {
        timeline.advance(length);
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.allOf(Ability.class);
    }

    @Override
    public Set<Cut> cuts() {
        return EnumSet.allOf(Cut.class);
    }

    @Override
    public void cut(Coordinator client, Cut how) {
        wire(client).faults().suffer(FaultyWire.Fault.valueOf(how.name()));
    }

    @Override
    public void heal(Coordinator client) {
        wire(client).faults().heal();
    }

    @Override
    public boolean isWired() {
        return true;
    }

    @Override
    public void hold(Coordinator client) {
        wire(client).faults().suffer(FaultyWire.Fault.HELD);
    }

    @Override
    public void letGo(Coordinator client) {
        heal(client);
    }

    @Override
    public void slowAnswers(Coordinator client, Duration by) {
        wire(client).slowAnswers(by);
    }

    @Override
    public long requests(Coordinator client) {
        return wire(client).requests();
    }

    /** A wire stands for its client's one connection. */
    @Override
    public int connections(Coordinator client) {
        return 1;
    }

    @Override
    public void stepStoreClock(Duration by) {
        store.stepClock(by);
    }

    @Override
    public void backUp() {
        backup = Optional.of(store.backup());
    }

    @Override
    public void restore() {
        store.restore(backup.orElseThrow());
    }

    @Override
    public void plantUnreadable(ElectionName election) {
        store.plantUnreadable(election, "planted");
    }

    /** This store has names of elections alone, so that one of them stands for what is none: a twin that falls over such a name falls over this one. */
    @Override
    public void plantForeign(String name) {
        store.plantUnreadable(FOREIGN, "planted");
    }

    /** This store has candidates alone, and under names of elections alone, so that records stand for what is none: a twin that falls over it falls over these. */
    @Override
    public void plantCandidate(String name, LeaseId lease, String text) {
        store.plantUnreadable(ElectionName.ifLegal(name).isPresent() ? UNREADABLE_CANDIDATE : FOREIGN, "planted");
    }

    @Override
    public void close() {
        List<Coordinator> clients = new ArrayList<>(wires.keySet());
        clients.forEach(Coordinator::close);
    }

    private SlowWire wire(Coordinator client) {
        return Optional.ofNullable(wires.get(client)).orElseThrow();
    }
}
