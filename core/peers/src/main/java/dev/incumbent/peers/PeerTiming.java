package dev.incumbent.peers;

import java.time.Duration;

/**
 * The durations of a bully or a ring. Both protocols take a member for dead that does not answer in time.
 *
 * @param heartbeat from one heartbeat of the leader to the next
 * @param silence a leader that was not heard for so long is taken for dead
 * @param answer a member that has not answered for so long is taken for dead: longer than two messages take
 * @param announcement an election that has named nobody for so long is begun anew: longer than {@code answer}
 */
public record PeerTiming(Duration heartbeat, Duration silence, Duration answer, Duration announcement) {
    /** A heartbeat each 300 ms, a silence of 1 s, an answer within 1 s, an announcement within 3 s. */
    public static final PeerTiming DEFAULT =
            new PeerTiming(Duration.ofMillis(300), Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(3));

    public PeerTiming {
        if (heartbeat.isZero() || heartbeat.isNegative() || answer.isZero() || answer.isNegative()) {
            throw new IllegalArgumentException(
                    "heartbeat and answer are above zero, these are " + heartbeat + " and " + answer);
        }
        if (silence.compareTo(heartbeat) <= 0) {
            throw new IllegalArgumentException(
                    "a silence is longer than a heartbeat of " + heartbeat + ", this one is " + silence);
        }
        if (announcement.compareTo(answer) <= 0) {
            throw new IllegalArgumentException(
                    "an announcement takes longer than an answer of " + answer + ", this one takes " + announcement);
        }
    }
}
