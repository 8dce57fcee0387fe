package dev.incumbent.coordinator.kubernetes;

import java.util.ArrayList;
import java.util.List;

/**
 * One step of a {@link LeaseCache} under way.
 *
 * @param jitter at least 0 and less than 1: how much of half a pause is left out
 * @param effects what is to be done, so far
 */
record CacheStep(long now, double jitter, List<CacheEffect> effects) {
    CacheStep(long now, double jitter) {
        this(now, jitter, new ArrayList<>());
    }

    void add(CacheEffect effect) {
        effects.add(effect);
    }
}
