package dev.incumbent.peers.raft;

import java.time.Duration;

/**
 * The durations of a Raft election. Members may run with different leases, up to the longest, which is the same for all. The constructor refuses durations that leave a leader no room for a lost heartbeat.
 *
 * @param heartbeat from one heartbeat of the leader to the next
 * @param lease for how long a member that has answered this one's heartbeat votes for nobody else, counted from its receipt
 * @param longestLease the longest lease that any member of the group may still run with: for so long a member votes for nobody after a start
 * @param leastElection the shortest time without a leader after which a member stands; at least {@code lease}
 * @param mostElection the longest one; each time is drawn between them
 * @param stopBudget the time that the leader's task has to stop before its lease ends
 * @param driftBound how much the rate of a member's clock may err, such as 0.001
 */
public record RaftTiming(
        Duration heartbeat,
        Duration lease,
        Duration longestLease,
        Duration leastElection,
        Duration mostElection,
        Duration stopBudget,
        double driftBound) {
    /** A heartbeat each 300 ms, a lease of 1 s, an election after 1 to 5 s, 200 ms to stop, and clocks that err by one in a thousand. */
    public static final RaftTiming DEFAULT = new RaftTiming(
            Duration.ofMillis(300),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofMillis(200),
            0.001);

    public RaftTiming {
        if (heartbeat.isZero() || heartbeat.isNegative() || stopBudget.isNegative()) {
            throw new IllegalArgumentException(
                    "heartbeat is above zero and stopBudget not below, these are " + heartbeat + " and " + stopBudget);
        }
        if (!(driftBound >= 0 && driftBound < 1)) {
            throw new IllegalArgumentException("driftBound is at least 0 and below 1, this one is " + driftBound);
        }
        if (longestLease.compareTo(lease) < 0 || leastElection.compareTo(lease) < 0) {
            throw new IllegalArgumentException("longestLease and leastElection are at least the lease of " + lease
                    + ", these are " + longestLease + " and " + leastElection);
        }
        if (mostElection.compareTo(leastElection) <= 0) {
            throw new IllegalArgumentException(
                    "mostElection is above leastElection of " + leastElection + ", this one is " + mostElection);
        }
        Duration left = Duration.ofNanos(validForNanos(lease, driftBound)).minus(stopBudget);
        if (heartbeat.multipliedBy(2).compareTo(left) >= 0) {
            throw new IllegalArgumentException("two heartbeats of " + heartbeat + " do not fit into a lease of " + lease
                    + ", which leaves " + left + " without the stop budget and the drift of clocks");
        }
    }

    /** For how long a lease is valid for the leader, counted from before its heartbeat was sent: its clock may be slow, and the others' fast. */
    long validForNanos() {
        return validForNanos(lease, driftBound);
    }

    /** How long to wait before an election; any number is good for dice. */
    long electionNanos(long dice) {
        long range = mostElection.minus(leastElection).toNanos() + 1;
        return leastElection.toNanos() + Math.floorMod(dice, range);
    }

    private static long validForNanos(Duration lease, double driftBound) {
        return (long) (lease.toNanos() * ((1 - driftBound) / (1 + driftBound)));
    }
}
