package dev.incumbent.adverse;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.memory.FaultyWire;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.coordinator.memory.Wire;
import dev.incumbent.coordinator.tck.Ability;
import dev.incumbent.coordinator.tck.Cut;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/** The store in memory, on real time: a frozen server is one of which every wire keeps what it carries, a killed one refuses. */
final class MemoryAdverseRig implements AdverseRig {
    private final UnaryOperator<Coordinator> dress;
    private final SystemTimeline timeline = new SystemTimeline();
    private final MemoryStore store = new MemoryStore(timeline);
    private final Map<Coordinator, ClientWire> wires = Collections.synchronizedMap(new IdentityHashMap<>());
    private final ScheduledExecutorService carriers = Executors.newScheduledThreadPool(3);

    MemoryAdverseRig(UnaryOperator<Coordinator> dress) {
        this.dress = dress;
    }

    private final class ClientWire implements Wire {
        private final FaultyWire faults = new FaultyWire();
        private final AtomicBoolean losesNextAnswer = new AtomicBoolean();
        private volatile long requestDelayNanos;
        private volatile long answerDelayNanos;

        @Override
        public void toStore(Runnable arrival) {
            faults.toStore(() -> carry(arrival, requestDelayNanos));
        }

        @Override
        public void toClient(Runnable arrival) {
            if (!losesNextAnswer.getAndSet(false)) {
                faults.toClient(() -> carry(arrival, answerDelayNanos));
            }
        }

        private void carry(Runnable arrival, long delayNanos) {
            if (!carriers.isShutdown()) {
                var carried = carriers.schedule(arrival, delayNanos, TimeUnit.NANOSECONDS);
                assert carried != null;
            }
        }
    }

    @Override
    public Coordinator connect() {
        ClientWire wire = new ClientWire();
        Coordinator client = dress.apply(MemoryCoordinator.connect(store, wire, timeline, requestTimeout()));
        wires.put(client, wire);
        return client;
    }

    private ClientWire wire(Coordinator client) {
        return Optional.ofNullable(wires.get(client)).orElseThrow();
    }

    @Override
    public Timeline timeline() {
        return timeline;
    }

    @Override
    public Duration requestTimeout() {
        return Duration.ofMillis(400);
    }

    @Override
    public Duration lease() {
        return Duration.ofMillis(1_800);
    }

    @Override
    public Duration slack() {
        return Duration.ofSeconds(3);
    }

    @Override
    public void passTime(Duration length) {
        try {
            SystemTimeline.sleep(length);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Set<Ability> abilities() {
        return Set.of();
    }

    @Override
    public Set<Cut> cuts() {
        return EnumSet.allOf(Cut.class);
    }

    @Override
    public void cut(Coordinator client, Cut how) {
        wire(client).faults.suffer(FaultyWire.Fault.valueOf(how.name()));
    }

    @Override
    public void heal(Coordinator client) {
        wire(client).losesNextAnswer.set(false);
        wire(client).faults.heal();
    }

    @Override
    public Set<ServerFault> serverFaults() {
        return EnumSet.of(ServerFault.FROZEN, ServerFault.KILLED);
    }

    @Override
    public void befall(ServerFault fault) {
        Cut how = fault == ServerFault.FROZEN ? Cut.DELAYED : Cut.REFUSED;
        wires.keySet().forEach(client -> cut(client, how));
    }

    @Override
    public void recover(ServerFault fault) {
        wires.keySet().forEach(this::heal);
    }

    /** It has no connections: what is under way is lost. */
    @Override
    public void reset(Coordinator client) {
        wire(client).losesNextAnswer.set(true);
    }

    @Override
    public void loseNextAnswer(Coordinator client) {
        wire(client).losesNextAnswer.set(true);
    }

    @Override
    public void slow(Coordinator client, Duration by) {
        wire(client).requestDelayNanos = by.toNanos();
        wire(client).answerDelayNanos = by.toNanos();
    }

    @Override
    public boolean isWired() {
        return true;
    }

    @Override
    public void hold(Coordinator client) {
        wire(client).faults.suffer(FaultyWire.Fault.HELD);
    }

    @Override
    public void letGo(Coordinator client) {
        wire(client).faults.heal();
    }

    @Override
    public void slowAnswers(Coordinator client, Duration by) {
        wire(client).answerDelayNanos = by.toNanos();
    }

    @Override
    public void close() {
        wires.keySet().forEach(Coordinator::close);
        carriers.shutdown();
        timeline.close();
    }
}
