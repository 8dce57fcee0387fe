package dev.incumbent.model;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One incarnation of one process: {@code name@host-pid-random}.
 *
 * <p>Never reused: a process that restarts takes another, and so never recognises "its" old lease.
 */
public record CandidateId(String value) implements Comparable<CandidateId> {
    private static final Pattern MADE = Pattern.compile(".*@(.+)-\\d+-[^-@]+");

    public CandidateId {
        Words.checked("a candidate id", value);
    }

    /** The id of an incarnation; {@code random} is what no other incarnation drew. */
    public static CandidateId of(String name, String host, long pid, String random) {
        return new CandidateId(name + "@" + host + "-" + pid + "-" + random);
    }

    /** The host of the process, where {@link #of} made this id. */
    public Optional<String> host() {
        Matcher made = MADE.matcher(value);
        return made.matches() ? Optional.of(made.group(1)) : Optional.empty();
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
