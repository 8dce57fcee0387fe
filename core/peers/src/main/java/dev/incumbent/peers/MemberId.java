package dev.incumbent.peers;

/** One member of a group, by the name that the group's configuration gives it. Unlike a candidate's id it is the same after a restart. */
public record MemberId(String value) implements Comparable<MemberId> {
    public MemberId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("a member's id is not blank");
        }
    }

    @Override
    public int compareTo(MemberId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
