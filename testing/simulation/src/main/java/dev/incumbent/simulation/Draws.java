package dev.incumbent.simulation;

import java.util.Arrays;

/**
 * Counter-based randomness: the n-th draw of a stream depends on the seed, the stream and n alone, so that leaving out a fault leaves every draw of the
 * other streams in place. SplitMix64 by Steele, Lea and Flood.
 */
public final class Draws {
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;
    /** Of each stream: what its seed is, and how many it has drawn. */
    private final long[] seeds;

    private final long[] counters;

    /** So many streams of one seed. */
    public Draws(long seed, int streams) {
        this.seeds = new long[streams];
        this.counters = new long[streams];
        Arrays.setAll(seeds, stream -> mix(seed, stream));
    }

    /** Mixes two numbers into one that looks like neither. */
    public static long mix(long a, long b) {
        long z = a + GOLDEN * (b + 1);
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** Any number. */
    public long next(int stream) {
        return mix(seeds[stream], counters[stream]++);
    }

    /** 0 to bound-1. */
    public long below(int stream, long bound) {
        return Math.floorMod(next(stream) >>> 1, bound);
    }

    /** From one to the other, both included. */
    public long between(int stream, long least, long most) {
        return least + below(stream, most - least + 1);
    }

    /** True once in so many times. */
    public boolean oneIn(int stream, long n) {
        return below(stream, n) == 0;
    }

    /** Mostly near {@code typical}, now and then many times that: as latencies are. */
    public long latency(int stream, long typical) {
        long u = below(stream, 1_000);
        long spread = typical / 2 + below(stream, typical + 1);
        return u < 950 ? spread : u < 995 ? spread * 5 : spread * 40;
    }
}
