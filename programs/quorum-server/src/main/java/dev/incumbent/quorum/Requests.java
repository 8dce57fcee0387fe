package dev.incumbent.quorum;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How often each path of this node was asked, and how that ended. Paths are those of routes, so that nobody makes them many. Thread-safe. */
final class Requests {
    /** Of what was refused before it named a path. */
    static final String NO_ROUTE = "none";
    /** Of what was closed without an answer. */
    static final String NO_ANSWER = "none";

    private final Map<Kind, LongAdder> counts = new ConcurrentHashMap<>();

    /** Requests that are alike: the path of a route, and the status of the answer. */
    record Kind(String route, String status) {}

    /** So many of one kind. */
    record Count(Kind kind, long count) {}

    void add(String route, String status) {
        counts.computeIfAbsent(new Kind(route, status), kind -> new LongAdder()).increment();
    }

    /** All so far, in the order of their paths. */
    List<Count> counts() {
        return counts.entrySet().stream()
                .map(entry -> new Count(entry.getKey(), entry.getValue().sum()))
                .sorted(Comparator.comparing(
                        one -> one.kind().route() + ' ' + one.kind().status()))
                .toList();
    }
}
