package dev.incumbent.coordinator.redis;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import java.util.List;

/** The names of the keys of one coordinator. All share one hash tag, so that they lie in one slot of a cluster. */
record Keys(String prefix) {
    /** How long the mark of a dead lease stays: longer than any message to a server may be under way. */
    static final String TOMBSTONE_MILLIS =
            Long.toString(java.time.Duration.ofDays(1).toMillis());

    /** A key that never is. */
    String nothing() {
        return key("nothing");
    }

    String record(ElectionName election) {
        return key("election:" + election);
    }

    String records() {
        return key("elections");
    }

    String lists() {
        return key("lists");
    }

    String orders() {
        return key("order:");
    }

    String order(ElectionName election) {
        return orders() + election;
    }

    String candidates(ElectionName election) {
        return key("candidates:" + election);
    }

    String counter() {
        return key("enlisted");
    }

    String leases() {
        return key("lease:");
    }

    String lease(LeaseId id) {
        return leases() + id;
    }

    String version() {
        return key("version");
    }

    String changes() {
        return key("changes");
    }

    String register(String name) {
        return key("register:" + name);
    }

    String registers() {
        return key("registers");
    }

    /** The ranges of names, in the order of bytes, that are a prefix or lie beneath it; {@code kind} stands before each name. */
    static List<String> ranges(String kind, String prefix) {
        if (prefix.isEmpty()) {
            return kind.isEmpty() ? List.of("-", "+") : List.of("[" + kind, "(" + kind + "\u007f");
        }
        String name = kind + prefix;
        return List.of("[" + name, "[" + name, "[" + name + "/", "(" + name + "0");
    }

    private String key(String name) {
        return "{" + prefix + "}:" + name;
    }
}
