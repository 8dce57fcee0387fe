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

    @Override
    public String toString() {
        return id.value();
    }
}
