package dev.incumbent.etcd;

import dev.incumbent.wire.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Several transactions as one request. etcd decides each by the state before all of them, so two that write one key must not meet in it. */
final class Transactions {
    static final String PATH = "/v3/kv/txn";

    /** etcd's default is 128 operations to a transaction, one of several counting as one, on top of what it has within. */
    private static final int MOST = 100;

    private static final int MOST_OPERATIONS = 120;

    /** Well below etcd's 1.5 MiB to a request. */
    private static final int LONGEST = 600_000;

    private final Set<String> written = new HashSet<>();
    private int count;
    private int widest;
    private int length;

    /** Takes one more in, if it goes with those that are in; the first always does. */
    boolean take(Txn txn) {
        int wider = Math.max(widest, txn.operations());
        boolean fits = count == 0
                || (count < MOST
                        && count + 1 + wider <= MOST_OPERATIONS
                        && length + txn.length() <= LONGEST
                        && txn.goesWith(written));
        if (fits) {
            count++;
            widest = wider;
            length += txn.length();
            written.addAll(txn.written());
        }
        return fits;
    }

    /** The reply of each. */
    static List<TxnReply> send(Requests requests, List<Txn> several) throws IOException {
        String body = several.size() == 1 ? several.get(0).json() : Txn.json(several);
        Json answer = requests.post(PATH, body);
        long revision = answer.at("header").at("revision").number();
        if (several.size() == 1) {
            return List.of(TxnReply.of(answer, revision));
        }
        List<TxnReply> replies = new ArrayList<>();
        for (Json one : answer.at("responses").items()) {
            replies.add(TxnReply.of(one.at("response_txn"), revision));
        }
        if (replies.size() != several.size()) {
            throw new IOException(replies.size() + " answers to " + several.size() + " transactions");
        }
        return replies;
    }
}
