package dev.incumbent.internal;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The elections that this process has left: what it must not forget of them, the numbers that it won and the nonces that it used; and whether one of them names it
 * again. A store that was restored may do that, and nobody else can end it while this process's lease lives: so their records are read now and then. Owned by
 * the loop's thread.
 */
final class Former {
    private static final int LOOKS_EVERY = 10;
    private static final int MOST_AT_ONCE = 500;

    private final CandidateId me;
    private final NavigableMap<ElectionName, Memory> memories = new TreeMap<>();
    private Optional<ElectionName> lastRead = Optional.empty();
    private int round;

    Former(CandidateId me) {
        this.me = me;
    }

    /** That election is left, with what this process knows then. */
    void left(ElectionName election, Memory memory) {
        memories.put(election, memory);
    }

    /** Before the first step of a driver: what this process knew when it stood there before. */
    void remind(ElectionDriver driver) {
        Optional.ofNullable(memories.get(driver.election())).ifPresent(driver::remember);
    }

    /** Whose records are to be read with this keep-alive; a few at a time, in turn, for a program may leave thousands. */
    List<ElectionName> due() {
        round++;
        return round % LOOKS_EVERY == 0 ? next() : List.of();
    }

    private List<ElectionName> next() {
        if (memories.size() <= MOST_AT_ONCE) {
            return List.copyOf(memories.keySet());
        }
        List<ElectionName> next = new ArrayList<>(lastRead.map(last -> memories.tailMap(last, false))
                .orElse(memories)
                .keySet());
        next.addAll(memories.keySet());
        List<ElectionName> few = List.copyOf(next.subList(0, MOST_AT_ONCE));
        lastRead = Optional.of(few.get(MOST_AT_ONCE - 1));
        return few;
    }

    /** Does the answer say that an election which was left names this process, under a lease that lives? */
    boolean isNamedBy(ElectionName election, Event answer) {
        if (!memories.containsKey(election) || !(answer instanceof Event.RecordObserved observed)) {
            return false;
        }
        ObservedRecord told = observed.observed();
        return told.leaseAlive()
                && told.record()
                        .leader()
                        .filter(leader -> leader.id().equals(me))
                        .isPresent();
    }
}
