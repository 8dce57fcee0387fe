package dev.incumbent.coordinator.quorum;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The nodes of a quorum as a client knows them: their addresses, in time their names, and which to ask first. Thread-safe. */
final class Nodes {
    private final List<Node> all;
    private final Map<String, Node> byName = new ConcurrentHashMap<>();
    private final AtomicInteger first = new AtomicInteger();
    private volatile String quorum = "";

    Nodes(List<Node> all) {
        this.all = List.copyOf(all);
    }

    /** One node's address. */
    record Node(int number, String host, int port) {
        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    /** The one to ask next: the first in turn that was not asked. */
    Optional<Node> next(Set<Node> asked) {
        int start = first.get();
        for (int i = 0; i < all.size(); i++) {
            Node node = all.get((start + i) % all.size());
            if (!asked.contains(node)) {
                return Optional.of(node);
            }
        }
        return Optional.empty();
    }

    /** It did not answer: others are asked first from now on. */
    void failed(Node node) {
        first.compareAndSet(node.number(), (node.number() + 1) % all.size());
    }

    /** The quorum that all nodes are of; empty before any has told. */
    String quorum() {
        return quorum;
    }

    /** A node told which quorum it is of: false if another node had told another. */
    synchronized boolean isOf(String told) {
        if (quorum.isEmpty()) {
            quorum = told;
        }
        return quorum.equals(told);
    }

    /** It said its name. */
    void isNamed(Node node, String name) {
        byName.put(name, node);
    }

    /** That one leads: it is asked first from now on, or where its address is not known yet, one that has not said its name. */
    void leads(String name) {
        Set<Node> named = Set.copyOf(byName.values());
        Optional.ofNullable(byName.get(name))
                .or(() -> all.stream().filter(node -> !named.contains(node)).findFirst())
                .ifPresent(node -> first.set(node.number()));
    }
}
