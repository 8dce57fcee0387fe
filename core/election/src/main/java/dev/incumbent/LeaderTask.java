package dev.incumbent;

/**
 * What a leader does. Runs on a thread of its own, which is interrupted when it must stop.
 *
 * <p>Returning resigns. A StaleTokenException leaving it ends the term as superseded, any other exception as failed; an election lives on until it is closed.
 */
@FunctionalInterface
public interface LeaderTask {
    void lead(Leadership leadership) throws Exception;
}
