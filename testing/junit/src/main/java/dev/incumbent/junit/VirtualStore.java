package dev.incumbent.junit;

import dev.incumbent.fence.FenceException;
import dev.incumbent.model.FencingToken;

/**
 * A store behind the network of a {@link World}: an object of your own (a map, a list, a repository over a database in memory), which the tasks of candidates reach by messages.
 *
 * <p>An operation that a task calls blocks the task until the answer is there, as JDBC does; an interrupt does not end it. The operation travels to the store, runs there at one instant, and its
 * answer travels back. What it throws is thrown to the task. If no answer comes within half a lease the call throws a {@link NoAnswerException}. If the process dies meanwhile, an operation on its
 * way is done all the same. Called by the test itself, an operation is done at once, and belongs to no term.
 *
 * @param <T> your object
 */
public interface VirtualStore<T> {
    /** Its name, as stories tell it. */
    String name();

    /** Reads from it. */
    <R, E extends Exception> R read(Reading<? super T, R, E> reading) throws E;

    /** Writes to it, whoever leads. */
    <E extends Exception> void write(Writing<? super T, E> writing) throws E;

    /**
     * Writes to it if the token is the one in force here, in the same step; needs a store of {@link World#fencedStore}. Your own fence needs no more than the other {@code write}: compare the
     * token there.
     *
     * @throws FenceException the fence has refused the token, and nothing was written
     */
    <E extends Exception> void write(FencingToken token, Writing<? super T, E> writing) throws FenceException, E;

    /** What is read from a store. */
    @FunctionalInterface
    interface Reading<T, R, E extends Exception> {
        R from(T store) throws E;
    }

    /** What is written to a store. */
    @FunctionalInterface
    interface Writing<T, E extends Exception> {
        void to(T store) throws E;
    }
}
