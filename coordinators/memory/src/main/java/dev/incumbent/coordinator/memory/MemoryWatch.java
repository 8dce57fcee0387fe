package dev.incumbent.coordinator.memory;

import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ElectionName;
import java.util.function.Consumer;

/** A client's end of one watch: lets through what is later than what it told, in turns, and nothing once it is closed. */
final class MemoryWatch implements Watch {
    private static final long NO_LIFE = 0;

    private final ElectionName election;
    private final Watcher watcher;
    private final Consumer<Told> line;
    private final Consumer<MemoryWatch> whenClosed;
    private final Turns turns = new Turns();
    private long life = NO_LIFE;
    private long position;
    private boolean isCut;
    private volatile boolean closed;

    MemoryWatch(ElectionName election, Watcher watcher, Wire wire, Consumer<MemoryWatch> whenClosed) {
        this.election = election;
        this.watcher = watcher;
        this.line = told -> wire.toClient(() -> turn(() -> heardUnasked(told)));
        this.whenClosed = whenClosed;
    }

    ElectionName election() {
        return election;
    }

    /** Where the store tells of changes. */
    Consumer<Told> line() {
        return line;
    }

    /** The store answered a question sent then: what was told up to here is current as of it. */
    void accept(Told told, long sentAtNanos) {
        turn(() -> {
            isCut = false;
            tellIfLater(told);
            tell(watching -> watching.currentAsOf(sentAtNanos));
        });
    }

    /** The store tells a change: so it is heard again, and the next question without an answer is another gap. */
    private void heardUnasked(Told told) {
        isCut = false;
        tellIfLater(told);
    }

    /** The store did not answer: told once, until it is heard again. */
    void cut() {
        turn(() -> {
            if (!isCut) {
                isCut = true;
                tell(Watcher::gap);
            }
        });
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            whenClosed.accept(this);
        }
    }

    /** In a turn of its own, so that a watcher that throws is told the rest all the same. */
    private void tell(Consumer<Watcher> what) {
        turn(() -> what.accept(watcher));
    }

    private void turn(Runnable turn) {
        turns.take(() -> {
            if (!closed) {
                turn.run();
            }
        });
    }

    private void tellIfLater(Told told) {
        boolean isFirst = life == NO_LIFE;
        boolean isRestored = told.life() > life && !isFirst;
        boolean isLater = told.life() > life || (told.life() == life && told.position() > position);
        if (!isLater) {
            return;
        }
        life = told.life();
        position = told.position();
        if (isRestored || told.state().isEmpty()) {
            tell(Watcher::gap);
        }
        told.state().ifPresent(state -> tell(watching -> watching.changed(state)));
    }
}
