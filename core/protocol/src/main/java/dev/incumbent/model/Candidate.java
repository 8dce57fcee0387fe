package dev.incumbent.model;

import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Someone who stands in elections: an id for the machine, a name for people, an address for clients (empty where there is
 * none), and what else is told of it.
 */
public record Candidate(CandidateId id, String name, String address, Extras extras) {
    private static final String POSITION = "position";
    private static final String LEADS = "leads";
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

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

    /** How far it has come, such as the offset of a replica: the attribute that tells it. Empty where none is told, or no number from 0 on. */
    public OptionalLong position() {
        return number(POSITION);
    }

    private OptionalLong number(String attribute) {
        String told = extras.attributes().getOrDefault(attribute, "");
        return NUMBER.matcher(told).matches() ? OptionalLong.of(Long.parseLong(told)) : OptionalLong.empty();
    }

    /** The same, having come so far; none is told below 0. */
    public Candidate withPosition(long reached) {
        return with(POSITION, reached, 0);
    }

    /** How many elections its process leads, about: the attribute that tells it. 0 where none is told. */
    public long leads() {
        return number(LEADS).orElse(0);
    }

    /** The same, whose process leads so many elections; 0 is told by nothing. */
    public Candidate withLeads(long elections) {
        return with(LEADS, elections, 1);
    }

    /** A number below the least is told by nothing. */
    private Candidate with(String attribute, long number, long least) {
        Map<String, String> attributes = new TreeMap<>(extras.attributes());
        attributes.remove(attribute);
        if (number >= least) {
            attributes.put(attribute, Long.toString(number));
        }
        return new Candidate(id, name, address, new Extras(attributes, extras.unknown()));
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
