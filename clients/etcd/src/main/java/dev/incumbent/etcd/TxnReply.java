package dev.incumbent.etcd;

import dev.incumbent.wire.Json;
import java.util.List;

/**
 * How a transaction was decided.
 *
 * @param succeeded did all compares hold
 * @param answers of its operations, in their order
 * @param revision of the store just then
 */
public record TxnReply(boolean succeeded, List<Json> answers, long revision) {
    static TxnReply of(Json json, long revision) {
        return new TxnReply(json.at("succeeded").flag(), json.at("responses").items(), revision);
    }

    /** What the operation of that number found, if it was a get. */
    public List<KeyValue> found(int operation) {
        return answers.get(operation).at("response_range").at("kvs").items().stream()
                .map(KeyValue::of)
                .toList();
    }
}
