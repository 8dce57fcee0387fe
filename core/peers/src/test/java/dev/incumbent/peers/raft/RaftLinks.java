package dev.incumbent.peers.raft;

import dev.incumbent.peers.MemberId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** The links of a world, each for one direction. Where they are bad, messages are lost, doubled, and late, some by seconds. */
final class RaftLinks {
    private static final long MILLI = RaftWorld.MILLI;

    private final SplittableRandom draws;
    private final boolean bad;
    private final Map<List<MemberId>, Long> cutUntil = new HashMap<>();
    private long slowUntil;
    private boolean healed;

    RaftLinks(SplittableRandom draws, boolean bad) {
        this.draws = draws;
        this.bad = bad;
    }

    void cut(MemberId from, MemberId to, long until) {
        cutUntil.merge(List.of(from, to), until, Math::max);
    }

    void cutOff(MemberId member, Collection<MemberId> all, long until) {
        for (MemberId other : all) {
            cut(member, other, until);
            cut(other, member, until);
        }
    }

    void slowUntil(long until) {
        slowUntil = Math.max(slowUntil, until);
    }

    /** From now on all links are good. */
    void heal() {
        healed = true;
    }

    /** After how long a message arrives, each time; never where it is lost. */
    List<Long> delays(MemberId from, MemberId to, long now) {
        if (!healed && cutUntil.getOrDefault(List.of(from, to), 0L) > now) {
            return List.of();
        }
        if (!bad || healed) {
            return List.of(draws.nextLong(MILLI, 20 * MILLI));
        }
        boolean slow = now < slowUntil;
        int luck = draws.nextInt(100);
        if (luck < (slow ? 20 : 3)) {
            return List.of();
        }
        return luck < (slow ? 30 : 6) ? List.of(delay(slow), delay(slow)) : List.of(delay(slow));
    }

    private long delay(boolean slow) {
        int luck = draws.nextInt(100);
        long most = luck < 2 ? 5_000 : luck < (slow ? 40 : 8) ? 700 : 30;
        return draws.nextLong(MILLI, most * MILLI);
    }
}
