package dev.incumbent.coordinator.tck;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.memory.FaultyWire;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.coordinator.memory.Wire;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The memory store in real time, over wires whose messages overtake each other on several threads. */
final class ThreadedMemoryRig implements CoordinatorRig {
    private static final int THREADS = 3;

    private final SystemTimeline timeline = new SystemTimeline();
    private final MemoryStore store = new MemoryStore(timeline);
    private final Duration requestTimeout;
    private final IdentityHashMap<Coordinator, SlowWire> wires = new IdentityHashMap<>();
    private final ThreadPoolExecutor carriers = new ThreadPoolExecutor(
            THREADS, THREADS, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new ThreadPoolExecutor.DiscardPolicy());

    ThreadedMemoryRig(Pace pace) {
        requestTimeout = pace.requestTimeout(Duration.ofMillis(100));
        carriers.prestartAllCoreThreads();
        timeline.at(timeline.nanos(), () -> {});
    }

    @Override
    public Coordinator connect() {
        SlowWire faults = new SlowWire(timeline);
        Wire wire = new Wire() {
            @Override
            public void toStore(Runnable arrival) {
                faults.toStore(() -> carriers.execute(arrival));
            }

            @Override
            public void toClient(Runnable arrival) {
                faults.toClient(() -> carriers.execute(arrival));
            }
        };
        Coordinator client = MemoryCoordinator.connect(store, wire, timeline, requestTimeout());
        wires.put(client, faults);
        return client;
    }

    @Override
    public Timeline timeline() {
        return timeline;
    }

    @Override
    public Duration requestTimeout() {
        return requestTimeout;
    }

    @Override
    public Duration lease() {
        return Pace.lease(Duration.ofMillis(400), requestTimeout);
    }

    @Override
    public Duration slack() {
        return Pace.slack(Duration.ofSeconds(3), requestTimeout);
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
        return EnumSet.of(Ability.STEP_STORE_CLOCK);
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

    private SlowWire wire(Coordinator client) {
        return Optional.ofNullable(wires.get(client)).orElseThrow();
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
    public void close() {
        wires.keySet().forEach(Coordinator::close);
        carriers.shutdown();
        timeline.close();
    }
}
