package dev.incumbent.model;

/**
 * Someone who stands in elections: an id for the machine, a name for people, an address for clients (empty where there is
 * none).
 */
public record Candidate(CandidateId id, String name, String address) {
    public Candidate {
        Words.checked("a candidate's name", name);
        if (!address.isEmpty()) {
            Words.checked("a candidate's address", address);
        }
    }

    @Override
    public String toString() {
        return id.value();
    }
}
