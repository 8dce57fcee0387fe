package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.Watching;
import dev.incumbent.model.ElectionName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Who follows which election. Belongs to its {@link LeaseCache}. */
final class Followers {
    private final Map<ElectionName, List<Follower>> followers = new LinkedHashMap<>();

    boolean isEmpty() {
        return followers.isEmpty();
    }

    void join(Watching watching, long firstList) {
        followers
                .computeIfAbsent(watching.election(), election -> new ArrayList<>())
                .add(new Follower(watching, firstList));
    }

    /** True where nobody follows that election any more. */
    boolean leave(Watching watching) {
        List<Follower> others = followers.getOrDefault(watching.election(), new ArrayList<>());
        others.removeIf(follower -> follower.watching() == watching);
        if (others.isEmpty()) {
            followers.remove(watching.election());
        }
        return others.isEmpty();
    }

    void clear() {
        followers.clear();
    }

    /** The list of that number is here: tells everybody the present state. */
    void hear(long list, Contents contents, CacheStep step) {
        followers.values().forEach(all -> all.forEach(follower -> follower.hear(list)));
        followers.keySet().forEach(election -> tell(election, contents, step));
    }

    /** Tells the present state of an election, where it is news. */
    void tell(ElectionName election, Contents contents, CacheStep step) {
        of(election).forEach(follower -> follower.tell(contents.revision(election), contents.state(election), step));
    }

    void fallSilent(CacheStep step) {
        followers.keySet().forEach(election -> fallSilent(election, step));
    }

    void fallSilent(ElectionName election, CacheStep step) {
        of(election).forEach(follower -> follower.fallSilent(step));
    }

    void forget(CacheStep step) {
        followers.keySet().forEach(election -> forget(election, step));
    }

    void forget(ElectionName election, CacheStep step) {
        of(election).forEach(follower -> follower.forget(step));
    }

    private List<Follower> of(ElectionName election) {
        return followers.getOrDefault(election, List.of());
    }
}
