package dev.incumbent.simulation;

import dev.incumbent.beats.BeatEvent;
import dev.incumbent.beats.BeatTransport;
import dev.incumbent.beats.Message;
import dev.incumbent.beats.Peer;
import dev.incumbent.beats.Rhythm;
import dev.incumbent.time.Timeline.Alarm;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * One process's connections to the others. What arrives waits while the process is paused, or its reader gets no processor; an alarm that is due is told once all
 * that waits is read.
 */
final class SimulatedBeats implements BeatTransport {
    private final World world;
    private final PeerNetwork network;
    private final Peer peer;
    private final SimulatedProcess process;
    private final Queue<Runnable> inbox = new ArrayDeque<>();
    private Consumer<BeatEvent> hears = event -> {};
    private Optional<Alarm> alarm = Optional.empty();
    private boolean isDue;
    private boolean isAwaited;
    private boolean isOpen = true;
    private boolean isClosing;
    private boolean isWithoutMachine;

    SimulatedBeats(World world, PeerNetwork network, Peer peer, SimulatedProcess process) {
        this.world = world;
        this.network = network;
        this.peer = peer;
        this.process = process;
    }

    Peer peer() {
        return peer;
    }

    int index() {
        return process.node().index();
    }

    /** Does anybody listen there? */
    boolean isOpen() {
        return isOpen;
    }

    boolean isPaused() {
        return process.node().clock().isPaused();
    }

    boolean isWithoutMachine() {
        return isWithoutMachine;
    }

    /** Its process dies, alone or with its machine. */
    void dies(boolean withItsMachine) {
        isWithoutMachine = withItsMachine;
        ends();
    }

    private void ends() {
        if (isOpen) {
            isOpen = false;
            alarm.ifPresent(Alarm::cancel);
            network.gone(this);
        }
    }

    /** It has come to this machine, and waits until it is read. */
    void arrives(BeatEvent event) {
        later(() -> hears.accept(event));
    }

    private void later(Runnable task) {
        if (isOpen) {
            inbox.add(task);
            read();
        }
    }

    private void read() {
        if (!isAwaited) {
            isAwaited = true;
            world.agenda()
                    .at(
                            process.node().readsNoBeatsUntil(),
                            () -> process.node().clock().whenAwake(this::readAll));
        }
    }

    /** All that waits, then the alarm; what they bring about is read in the next turn. */
    private void readAll() {
        isAwaited = false;
        for (int left = inbox.size(); left > 0 && isOpen; left--) {
            inbox.remove().run();
        }
        if (isDue && isOpen) {
            isDue = false;
            hears.accept(new BeatEvent.Woken());
        }
        if (isClosing && inbox.isEmpty()) {
            ends();
        } else if (!inbox.isEmpty() && isOpen) {
            read();
        }
    }

    @Override
    public String address() {
        return peer.address();
    }

    @Override
    public Rhythm rhythm() {
        return network.rhythm();
    }

    @Override
    public long nanos() {
        return process.node().clock().nanos();
    }

    @Override
    public void begin(Consumer<BeatEvent> consumer) {
        hears = consumer;
    }

    @Override
    public void execute(Runnable task) {
        later(task);
    }

    @Override
    public void wakeAt(long nanos) {
        alarm.ifPresent(Alarm::cancel);
        isDue = false;
        alarm = Optional.of(process.node().clock().at(nanos, () -> {
            isDue = true;
            read();
        }));
    }

    @Override
    public void dial(Peer other) {
        network.dial(this, other);
    }

    @Override
    public void send(long connection, Message message) {
        network.send(this, connection, message);
    }

    @Override
    public void drop(long connection) {
        network.end(this, connection);
    }

    @Override
    public void close() {
        isClosing = true;
        read();
    }
}
