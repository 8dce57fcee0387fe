package dev.incumbent.protocol.operator;

import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import java.util.Optional;

/** What an operation knows of one sink that it was given. */
sealed interface GivenSink {
    String label();

    /** Its id, once it has told. */
    default Optional<SinkId> id() {
        return Optional.empty();
    }

    /** Is a question to it open? Each is answered, since every call of a sink is bounded. */
    default boolean isAsked() {
        return false;
    }

    /** Not asked yet. */
    record Untouched(String label) implements GivenSink {}

    /** Asked for its mark. */
    record Reading(String label) implements GivenSink {
        @Override
        public boolean isAsked() {
            return true;
        }
    }

    /** It told its mark. */
    record Read(String label, SinkId known, Optional<Mark> mark) implements GivenSink {
        @Override
        public Optional<SinkId> id() {
            return Optional.of(known);
        }

        /** The number of its mark; 0 where there is none. */
        long number() {
            return mark.isEmpty() ? 0 : mark.get().token().value();
        }
    }

    /** It told its mark, and was asked to raise it since. */
    sealed interface Told extends GivenSink {
        Read read();

        @Override
        default String label() {
            return read().label();
        }

        @Override
        default Optional<SinkId> id() {
            return read().id();
        }
    }

    /** Asked to raise it. */
    record Raising(Read read, Mark asked) implements Told {
        @Override
        public boolean isAsked() {
            return true;
        }
    }

    /** Raised. */
    record Raised(Read read, Mark mark) implements Told {}

    /** It did not answer a raise, which may have applied; the raise can be repeated. */
    record Unsure(Read read, Mark asked, String why) implements Told {}

    /** It did not tell its mark. */
    record Silent(String label, String why) implements GivenSink {}

    /** It cannot be raised, however often it is asked. */
    record Barred(Read read, String why) implements Told {}
}
