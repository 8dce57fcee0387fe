package dev.incumbent.coordinator.tck;

import dev.incumbent.model.Revision;
import java.util.Optional;

/**
 * One call on one record, as its client saw it: from when to when, on a clock that all clients share, and what it told. A call whose end
 * was not seen, and which may have applied, ends at {@link #NEVER}.
 */
record Operation(long from, long to, Told told) {
    static final long NEVER = Long.MAX_VALUE;

    /** What a call told, as a step of a sequential register of revisions. */
    sealed interface Told {
        /** May this have been told of a record at that revision? */
        boolean isTrueAt(Revision current);

        /** The revision after it. */
        Revision after(Revision current);
    }

    /** A read. */
    record Read(Revision found) implements Told {
        @Override
        public boolean isTrueAt(Revision current) {
            return found.equals(current);
        }

        @Override
        public Revision after(Revision current) {
            return current;
        }
    }

    /** A swap that was accepted. */
    record Accepted(Revision expected, Revision next) implements Told {
        @Override
        public boolean isTrueAt(Revision current) {
            return expected.equals(current);
        }

        @Override
        public Revision after(Revision current) {
            return next;
        }
    }

    /** A swap that was refused. */
    record Refused(Revision expected, Optional<Revision> found) implements Told {
        @Override
        public boolean isTrueAt(Revision current) {
            boolean isAsTold = found.isEmpty() || found.get().equals(current);
            return isAsTold && !expected.equals(current);
        }

        @Override
        public Revision after(Revision current) {
            return current;
        }
    }

    /** A swap that may have applied, then or later, or never: true of any revision. */
    record Uncertain(Revision expected, Revision next) implements Told {
        @Override
        public boolean isTrueAt(Revision current) {
            return true;
        }

        @Override
        public Revision after(Revision current) {
            return expected.equals(current) ? next : current;
        }
    }

    /** A call that surely did nothing. */
    record Nothing() implements Told {
        @Override
        public boolean isTrueAt(Revision current) {
            return true;
        }

        @Override
        public Revision after(Revision current) {
            return current;
        }
    }
}
