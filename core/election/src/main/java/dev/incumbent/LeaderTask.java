package dev.incumbent;

/**
 * The work of a leader. It runs on a thread of its own, which is interrupted when the task must stop.
 *
 * <p>When the task returns, the process resigns. A StaleTokenException that the task throws ends the term as superseded; any other exception ends it as failed.
 * The process remains a candidate until the candidacy is closed.
 */
@FunctionalInterface
public interface LeaderTask {
    void lead(Leadership leadership) throws Exception;
}
