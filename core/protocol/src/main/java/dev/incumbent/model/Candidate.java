package dev.incumbent.model;

/**
 * Someone who stands in elections: an id for the machine, a name for people, an address for clients (empty where there is
 * none), and what else is told of it.
 */
public record Candidate(CandidateId id, String name, String address, Extras extras) {
    public Candidate {
        Words.checked("a candidate's name", name);
        if (!address.isEmpty()) {
            Words.checked("a candidate's address", address);
        }
    }

    /** Of whom nothing else is told. */
    public Candidate(CandidateId id, String name, String address) {
        this(id, name, address, Extras.NONE);
    }

    /** The same, of another rank; what is not told is told by nothing. */
    public Candidate withRank(CandidateRank rank) {
        return new Candidate(id, name, address, new Extras(rank.in(extras.attributes()), extras.unknown()));
    }

    /** The same, of another priority; 0 is told by nothing. */
    public Candidate withPriority(int priority) {
        return withRank(rank().withPriority(priority));
    }

    /** By what it claims before or after others. */
    public CandidateRank rank() {
        return CandidateRank.of(extras.attributes());
    }

    /** Who has the greater one claims first. */
    public int priority() {
        return rank().priority();
    }

    @Override
    public String toString() {
        return id.value();
    }
}
