package dev.incumbent.coordinator;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * Tells a coordinator whose code lacks a class from one that does not answer: trying again never helps, another class path does. Stateless.
 */
public final class MissingClass {
    private static final int DEEPEST = 8;

    private MissingClass() {}

    /** What to tell where that failure, what caused it or what it suppresses is a {@link LinkageError}; empty where none is. */
    public static Optional<CoordinatorUnusableException> behind(Throwable failure) {
        return Stream.iterate(Optional.of(failure), Optional::isPresent, one -> one.map(Throwable::getCause))
                .limit(DEEPEST)
                .flatMap(Optional::stream)
                .flatMap(one -> Stream.concat(Stream.of(one), Stream.of(one.getSuppressed())))
                .filter(LinkageError.class::isInstance)
                .findFirst()
                .map(MissingClass::unusable);
    }

    private static CoordinatorUnusableException unusable(Throwable missing) {
        return new CoordinatorUnusableException(
                "the coordinator cannot be used: its code does not find all that it needs on the class path (" + missing
                        + "); add the library that is named there, in the version that this coordinator was built with",
                missing);
    }
}
