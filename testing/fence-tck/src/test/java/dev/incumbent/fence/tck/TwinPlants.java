package dev.incumbent.fence.tck;

import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** What was put among a twin's marks and is none, and how its flaw tells of it. Thread-safe. */
final class TwinPlants {
    private static final int A_HUNDRED = 100;

    private final Set<Flaw> flaws;
    private final Set<ElectionName> unreadable = ConcurrentHashMap.newKeySet();
    private volatile boolean foreign;

    TwinPlants(Set<Flaw> flaws) {
        this.flaws = flaws;
    }

    void plantUnreadable(ElectionName election) {
        unreadable.add(election);
    }

    void plantForeign() {
        foreign = true;
    }

    void requireReadable(ElectionName election) {
        if (unreadable.contains(election)) {
            throw new SinkException("the mark of " + election + " cannot be read");
        }
    }

    MarksRead told(Map<ElectionName, Mark> marks) {
        boolean spoilt = (flaws.contains(Flaw.IS_SPOILT_BY_AN_UNREADABLE_MARK) && !unreadable.isEmpty())
                || (flaws.contains(Flaw.IS_SPOILT_BY_A_FOREIGN_NAME) && foreign);
        if (spoilt) {
            throw new SinkException("something is no mark");
        }
        MarksRead.Gathered gathered = new MarksRead.Gathered();
        boolean isOfMany = flaws.contains(Flaw.TELLS_A_HUNDRED_MARKS_AT_MOST);
        new TreeMap<>(marks)
                .entrySet().stream()
                        .limit(isOfMany ? A_HUNDRED : Integer.MAX_VALUE)
                        .filter(entry -> !unreadable.contains(entry.getKey()))
                        .forEach(entry -> gathered.add(entry.getKey(), () -> Optional.of(entry.getValue())));
        if (!flaws.contains(Flaw.LEAVES_AN_UNREADABLE_MARK_OUT)) {
            unreadable.forEach(election -> gathered.add(election, () -> {
                throw new SinkException("planted");
            }));
        }
        return gathered.told();
    }
}
