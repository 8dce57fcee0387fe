package dev.incumbent.agent.watchdog;

/** Work that the watchdog guards: of an owner, in the term of a token. */
public record WatchKey(String owner, long token) implements Comparable<WatchKey> {
    @Override
    public int compareTo(WatchKey other) {
        int byOwner = owner.compareTo(other.owner);
        return byOwner != 0 ? byOwner : Long.compare(token, other.token);
    }
}
