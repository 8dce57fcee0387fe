package dev.incumbent.examples;

import dev.incumbent.ElectionListener;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Term;
import java.util.EnumMap;
import java.util.Map;

/** Counts the terms that this process has lost, by why they ended: what an alert stands on. Any thread reads it. */
public final class LostTerms implements ElectionListener {
    private final Map<EndReason, Integer> lost = new EnumMap<>(EndReason.class);

    /** None is lost so far. */
    public LostTerms() {}

    @Override
    public synchronized void onRevoked(Term term, EndReason reason) {
        lost.merge(reason, 1, Integer::sum);
    }

    /** How many ended for that reason. */
    public synchronized int count(EndReason reason) {
        return lost.getOrDefault(reason, 0);
    }
}
