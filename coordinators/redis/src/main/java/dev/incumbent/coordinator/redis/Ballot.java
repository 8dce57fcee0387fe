package dev.incumbent.coordinator.redis;

/** A round of CASPaxos: later by its counter, and among equals by its proposer. {@link #NONE} is before every round. */
record Ballot(long counter, String proposer) implements Comparable<Ballot> {
    static final Ballot NONE = new Ballot(0, "");

    @Override
    public int compareTo(Ballot other) {
        int byCounter = Long.compare(counter, other.counter);
        return byCounter != 0 ? byCounter : proposer.compareTo(other.proposer);
    }
}
