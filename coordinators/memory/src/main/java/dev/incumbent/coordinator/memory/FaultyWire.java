package dev.incumbent.coordinator.memory;

import dev.incumbent.coordinator.CoordinatorException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** A wire that can be cut in each of the ways in which real ones are. Carries at once, on the sender's thread. Thread-safe. */
public final class FaultyWire implements Wire {
    /** What it does with a message. */
    public enum Fault {
        /** Carries it. */
        NONE,
        /** Refuses requests at once, and loses what is told to the client. */
        REFUSED,
        /** Loses everything, both ways, and says nothing. */
        SILENT,
        /** Carries requests, and loses what is told to the client. */
        MUTE,
        /** Keeps requests back, and carries them when it is healed; loses what is told to the client. */
        DELAYED,
        /** Keeps requests back, and carries them when it is healed; loses nothing. */
        HELD
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Runnable> kept = new ArrayList<>();
    private Fault fault = Fault.NONE;

    /** A wire in order. */
    public FaultyWire() {}

    /** From now on until the next call. */
    public void suffer(Fault next) {
        List<Runnable> late;
        lock.lock();
        try {
            fault = next;
            late = next == Fault.NONE ? List.copyOf(kept) : List.of();
            kept.removeAll(late);
        } finally {
            lock.unlock();
        }
        late.forEach(Runnable::run);
    }

    public void heal() {
        suffer(Fault.NONE);
    }

    @Override
    public void toStore(Runnable arrival) {
        switch (current(arrival)) {
            case NONE, MUTE -> arrival.run();
            case REFUSED -> throw new CoordinatorException("connection refused", false);
            case SILENT, DELAYED, HELD -> {}
        }
    }

    @Override
    public void toClient(Runnable arrival) {
        Fault current = now();
        if (current == Fault.NONE || current == Fault.HELD) {
            arrival.run();
        }
    }

    private Fault current(Runnable arrival) {
        lock.lock();
        try {
            if (fault == Fault.DELAYED || fault == Fault.HELD) {
                kept.add(arrival);
            }
            return fault;
        } finally {
            lock.unlock();
        }
    }

    private Fault now() {
        lock.lock();
        try {
            return fault;
        } finally {
            lock.unlock();
        }
    }
}
