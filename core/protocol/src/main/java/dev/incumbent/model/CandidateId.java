package dev.incumbent.model;

/**
 * One incarnation of one process: {@code name@host-pid-random}.
 *
 * <p>Never reused: a process that restarts takes another, and so never recognises "its" old lease.
 */
public record CandidateId(String value) implements Comparable<CandidateId> {
    public CandidateId {
        Words.checked("a candidate id", value);
    }

    /** The id of an incarnation; {@code random} is what no other incarnation drew. */
    public static CandidateId of(String name, String host, long pid, String random) {
        return new CandidateId(name + "@" + host + "-" + pid + "-" + random);
    }

    @Override
    public int compareTo(CandidateId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
