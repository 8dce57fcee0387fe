package dev.incumbent;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.ObservedRecord;
import java.util.List;

/** How an election stands: its record, and who stands in it, in order. */
public record ElectionStatus(ElectionName election, ObservedRecord observed, List<Enlisted> candidates) {
    public ElectionStatus {
        candidates = List.copyOf(candidates);
    }
}
