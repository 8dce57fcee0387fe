package dev.incumbent.coordinator.quorum;

import dev.incumbent.wire.HostAddresses;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The nodes of a quorum as a client knows them: their addresses, in time their names, and which to ask first. Thread-safe. */
final class Nodes {
    private static final Pattern TOLD = Pattern.compile("([A-Za-z0-9_-]+)=\\[?([^\\]]+?)]?:(\\d{1,5})");

    private final Map<String, Node> byName = new ConcurrentHashMap<>();
    private final Map<Node, HostAddresses> addresses = new ConcurrentHashMap<>();
    private volatile List<Node> all;
    private volatile Node first;
    private volatile long listedAt;
    private volatile String quorum = "";

    Nodes(List<Node> all) {
        this.all = List.copyOf(all);
        this.first = all.get(0);
    }

    /** One node's address. */
    record Node(String host, int port) {
        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    /** Those of its host, and which of them answered last. */
    HostAddresses addresses(Node node) {
        return addresses.computeIfAbsent(node, it -> new HostAddresses(it.host()));
    }

    /** The one to ask next: the first in turn that was not asked. */
    Optional<Node> next(Set<Node> asked) {
        List<Node> now = all;
        int start = Math.max(0, now.indexOf(first));
        for (int i = 0; i < now.size(); i++) {
            Node node = now.get((start + i) % now.size());
            if (!asked.contains(node)) {
                return Optional.of(node);
            }
        }
        return Optional.empty();
    }

    /** It did not answer: others are asked first from now on. */
    synchronized void failed(Node node) {
        if (node.equals(first)) {
            first = all.get((all.indexOf(node) + 1) % all.size());
        }
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
    synchronized void leads(String name) {
        Set<Node> named = Set.copyOf(byName.values());
        first = Optional.ofNullable(byName.get(name))
                .filter(all::contains)
                .or(() -> all.stream().filter(node -> !named.contains(node)).findFirst())
                .orElse(first);
    }

    /** Where in the quorum's log its list of members stands that is known here; 0 for none. */
    long listedAt() {
        return listedAt;
    }

    /**
     * A node told a later list: its position, and {@code NAME=HOST:PORT} of each. It takes the place of what is known; where it names none of those
     * addresses, a client reaches the nodes another way, as through a proxy, and goes on to do so.
     */
    synchronized void listed(String told) {
        List<String> words = List.of(told.split(" ", -1));
        if (words.size() < 2 || !words.get(0).matches("\\d{1,18}") || Long.parseLong(words.get(0)) <= listedAt) {
            return;
        }
        List<Node> members = new ArrayList<>();
        for (String word : words.subList(1, words.size())) {
            Matcher member = TOLD.matcher(word);
            if (!member.matches()) {
                return;
            }
            members.add(new Node(member.group(2), Integer.parseInt(member.group(3))));
        }
        all = Collections.disjoint(members, all) ? all : List.copyOf(members);
        listedAt = Long.parseLong(words.get(0));
        byName.values().retainAll(all);
        addresses.keySet().retainAll(all);
        first = all.contains(first) ? first : all.get(0);
    }
}
