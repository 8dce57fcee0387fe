package dev.incumbent.lab.world;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What was written to a sink. A leader reads once, as it begins, then trusts that it alone writes: each of its writes replaces what it knows by what it knows and one thing more.
 * What is there and was not known to the writer is lost. Each write is lost once, even where its leader writes on and another one overwrites it again.
 */
final class WriteChain {
    static final Version START = new Version();

    private Version current = START;
    private long lost;
    private long stale;

    /** One state of the sink: the writes up to this one. */
    static final class Version {
        private final Version before;
        private final long depth;
        private final long reign;
        private Optional<Version> overwrittenFrom = Optional.empty();

        /** Before any write; there is nothing before it. */
        private Version() {
            this.before = this;
            this.depth = 0;
            this.reign = 0;
        }

        private Version(Version before, long depth, long reign) {
            this.before = before;
            this.depth = depth;
            this.reign = reign;
        }
    }

    Version read() {
        return current;
    }

    /**
     * A leadership writes.
     *
     * @param isStale has a later leadership, which is not over, read what is there?
     */
    Version write(long reign, Version known, boolean isStale) {
        stale += isStale ? 1 : 0;
        lost += overwrites(known, reign);
        current = new Version(known, known.depth + 1, reign);
        return current;
    }

    void countAnew() {
        lost = 0;
        stale = 0;
    }

    long lost() {
        return lost;
    }

    long stale() {
        return stale;
    }

    /** How many writes of other leaderships are there that the writer does not know, and that nobody has overwritten before? */
    private long overwrites(Version known, long reign) {
        List<Version> overwritten = new ArrayList<>();
        Version there = current;
        Version mine = known;
        while (there != mine) {
            if (there.depth < mine.depth) {
                mine = earlier(mine, there.depth);
            } else if (there.overwrittenFrom.isPresent()) {
                there = there.overwrittenFrom.get();
            } else {
                overwritten.add(there);
                there = there.before;
            }
        }
        Optional<Version> from = Optional.of(there);
        overwritten.forEach(version -> version.overwrittenFrom = from);
        return overwritten.stream().filter(version -> version.reign != reign).count();
    }

    /** Some version before it, of at least that depth: in long quarrels one step leads over all that was overwritten already. */
    private static Version earlier(Version version, long depth) {
        return version.overwrittenFrom.filter(from -> from.depth >= depth).orElse(version.before);
    }
}
