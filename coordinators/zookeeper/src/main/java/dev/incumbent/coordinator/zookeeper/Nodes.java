package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The paths of everything beneath one root: a record {@code e/ELECTION}, the marker of its nonce {@code n/ELECTION:NONCE}, a lease {@code l/LEASE}, a candidate
 * {@code c/ELECTION/ID}.
 *
 * <p>An election is one node, its {@code /} written {@code :}, so that no name can reach into another's.
 */
record Nodes(String root) {
    /** What was written of a record: the version counts changes, the nonce tells restored stores apart. */
    record Position(int version, String nonce) {
        String text() {
            return version + ":" + nonce;
        }

        /** Empty where it is no position that this store ever told. */
        static Optional<Position> parse(String text) {
            int colon = text.indexOf(':');
            try {
                return colon < 1
                        ? Optional.empty()
                        : Optional.of(
                                new Position(Integer.parseInt(text.substring(0, colon)), text.substring(colon + 1)));
            } catch (NumberFormatException foreign) {
                return Optional.empty();
            }
        }
    }

    String records() {
        return root + "/e";
    }

    String leases() {
        return root + "/l";
    }

    String candidates() {
        return root + "/c";
    }

    String markers() {
        return root + "/n";
    }

    /** The four nodes beneath which records, leases, candidates and markers lie. */
    List<String> kinds() {
        return List.of(records(), leases(), candidates(), markers());
    }

    /** The persistent nodes that everything lies beneath, parents first. */
    List<String> skeleton() {
        List<String> all = new java.util.ArrayList<>();
        for (int slash = root.indexOf('/', 1); slash > 0; slash = root.indexOf('/', slash + 1)) {
            all.add(root.substring(0, slash));
        }
        all.add(root);
        all.addAll(kinds());
        return all;
    }

    String record(ElectionName election) {
        return records() + "/" + flat(election);
    }

    String marker(ElectionName election, String nonce) {
        return markers() + "/" + flat(election) + ":" + escaped(nonce);
    }

    String lease(LeaseId lease) {
        return leases() + "/" + escaped(lease.value());
    }

    String candidates(ElectionName election) {
        return candidates() + "/" + flat(election);
    }

    String candidate(ElectionName election, CandidateId candidate) {
        return candidates(election) + "/" + escaped(candidate.value());
    }

    static String flat(ElectionName election) {
        return election.value().replace('/', ':');
    }

    /** The election of a node's name; empty for a name that we never gave. */
    static Optional<ElectionName> election(String flat) {
        return ElectionName.ifLegal(flat.replace(':', '/'));
    }

    /** The name that lies directly beneath a parent; empty for the parent itself and for what lies deeper. */
    static Optional<String> childOf(String parent, String path) {
        boolean beneath = path.startsWith(parent + "/") && path.indexOf('/', parent.length() + 1) < 0;
        return beneath ? Optional.of(path.substring(parent.length() + 1)) : Optional.empty();
    }

    /** One segment of a path that stands for any text, and for no other. */
    static String escaped(String text) {
        boolean dots = text.equals(".") || text.equals("..");
        StringBuilder segment = new StringBuilder();
        for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = (one >= 'a' && one <= 'z')
                    || (one >= 'A' && one <= 'Z')
                    || (one >= '0' && one <= '9')
                    || "._@+-".indexOf(one) >= 0;
            if (plain && !dots) {
                segment.append((char) one);
            } else {
                segment.append('%')
                        .append(Character.forDigit((one >> 4) & 15, 16))
                        .append(Character.forDigit(one & 15, 16));
            }
        }
        return segment.toString();
    }
}
