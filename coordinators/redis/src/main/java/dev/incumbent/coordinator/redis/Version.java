package dev.incumbent.coordinator.redis;

import java.util.ArrayList;
import java.util.List;

/**
 * What a register holds, or an acceptor of it: the round that wrote it, a nonce that no other writing bears, and a body.
 *
 * @param past the nonces of the writings before this one, each of which this one was made from; the last sixteen, one a line
 */
record Version(Ballot ballot, String nonce, String body, String past) {
    static final Version NONE = new Version(Ballot.NONE, "", "", "");
    private static final int REMEMBERED = 16;

    /** Of one acceptor's answer: counter, proposer, nonce, body, past. */
    static Version of(Reply reply) {
        var parts = reply.items();
        return new Version(
                new Ballot(parts.get(0).number(), parts.get(1).text()),
                parts.get(2).text(),
                parts.get(3).text(),
                parts.get(4).text());
    }

    boolean isAbsent() {
        return ballot.equals(Ballot.NONE);
    }

    /** The same under a later round. */
    Version at(Ballot later) {
        return new Version(later, nonce, body, past);
    }

    /** What is written after this one. */
    Version then(Ballot later, String nextNonce, String nextBody) {
        List<String> nonces = new ArrayList<>(isAbsent() ? List.of() : List.of(past.split("\n", -1)));
        nonces.add(nonce);
        int surplus = Math.max(0, nonces.size() - REMEMBERED);
        return new Version(later, nextNonce, nextBody, String.join("\n", nonces.subList(surplus, nonces.size())));
    }

    /** Was this one made from a writing with that nonce, as far as it remembers? */
    boolean follows(String before) {
        return !isAbsent() && List.of(past.split("\n", -1)).contains(before);
    }
}
