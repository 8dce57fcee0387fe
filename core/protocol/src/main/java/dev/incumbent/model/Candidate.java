package dev.incumbent.model;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Someone who stands in elections: an id for the machine, a name for people, an address for clients (empty where there is
 * none), and what else is told of it.
 */
public record Candidate(CandidateId id, String name, String address, Extras extras) {
    /** The attribute that tells a priority. */
    public static final String PRIORITY = "priority";

    /** A priority is at most this, and at least as much below 0. */
    public static final int MOST_PRIORITY = 1_000;

    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,4}");

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

    /** The same, of another priority; 0 is told by nothing. */
    public Candidate withPriority(int priority) {
        if (!isLegal(priority)) {
            throw new IllegalArgumentException(
                    "a priority is from -" + MOST_PRIORITY + " to " + MOST_PRIORITY + ", this one is " + priority);
        }
        Map<String, String> attributes = new TreeMap<>(extras.attributes());
        attributes.remove(PRIORITY);
        if (priority != 0) {
            attributes.put(PRIORITY, Integer.toString(priority));
        }
        return new Candidate(id, name, address, new Extras(attributes, extras.unknown()));
    }

    /** The attribute {@value #PRIORITY}: who has the greater one claims first ({@link Turns}). It is 0 where it is absent, or no number from -1000 to 1000. */
    public int priority() {
        String told = extras.attributes().getOrDefault(PRIORITY, "0");
        int number = NUMBER.matcher(told).matches() ? Integer.parseInt(told) : 0;
        return isLegal(number) ? number : 0;
    }

    private static boolean isLegal(int priority) {
        return -MOST_PRIORITY <= priority && priority <= MOST_PRIORITY;
    }

    @Override
    public String toString() {
        return id.value();
    }
}
