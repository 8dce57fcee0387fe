package dev.incumbent.coordinator.sqlite;

/** A read has found something to write, such as a lease to bury before it may be told dead: run it again in a writing transaction. */
final class NeedsWrite extends Exception {
    private static final long serialVersionUID = 1L;

    NeedsWrite() {
        super(null, null, false, false);
    }
}
