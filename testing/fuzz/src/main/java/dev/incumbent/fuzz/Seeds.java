package dev.incumbent.fuzz;

import java.util.ArrayList;
import java.util.List;

/**
 * Which malformed requests a run of tests sends: those of seed 1, and of the commit where {@code -Dfuzz.base=COMMIT} tells it; or those of one seed, where {@code -Dfuzz.seed=N} names it. {@code
 * -Dfuzz.requests=N} tells how many in all.
 */
public record Seeds(List<Long> seeds, int requestsOfEach) {
    private static final int USUAL = 200;
    private static final int HEX = 16;
    private static final int DIGITS = 12;
    private static final long FIXED = 1;

    public Seeds {
        seeds = List.copyOf(seeds);
    }

    /** As the properties of this JVM tell. */
    public static Seeds ofThisRun() {
        return of(
                System.getProperty("fuzz.seed", ""),
                System.getProperty("fuzz.base", ""),
                Integer.getInteger("fuzz.requests", USUAL));
    }

    static Seeds of(String seed, String commit, int requests) {
        if (!seed.isEmpty()) {
            return new Seeds(List.of(Long.parseLong(seed)), requests);
        }
        List<Long> all = new ArrayList<>(List.of(FIXED));
        if (commit.length() >= DIGITS) {
            all.add(Long.parseLong(commit.substring(0, DIGITS), HEX));
        }
        return new Seeds(all, requests / all.size());
    }

    /** The command that sends the requests of a seed again. */
    public String replay(long seed) {
        return "scripts/fuzz --seed " + seed + " --requests " + requestsOfEach;
    }
}
