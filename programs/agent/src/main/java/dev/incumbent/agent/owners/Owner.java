package dev.incumbent.agent.owners;

/**
 * A local program that stands in an election through this agent.
 *
 * @param id names this candidacy, and is never used again
 * @param name for people
 * @param ttlNanos its time to live: an answer lets it believe that it leads for no longer, and it sends heartbeats within it
 * @param dueNanos when it is withdrawn unless it is heard before, on the agent's clock
 * @param told what its last answer said
 * @param heard was it heard since it asked to stand; whoever was not may not know its id
 * @param watched did it ask for the watchdog of the host?
 */
public record Owner(String id, String name, long ttlNanos, long dueNanos, View told, boolean heard, boolean watched) {
    public Owner {
        if (ttlNanos <= 0) {
            throw new IllegalArgumentException(
                    "a time to live is above zero, that of " + name + " is " + ttlNanos + " ns");
        }
    }

    Owner heard(long due) {
        return new Owner(id, name, ttlNanos, due, told, true, watched);
    }

    Owner told(View view) {
        return new Owner(id, name, ttlNanos, dueNanos, view, heard, watched);
    }
}
