package dev.incumbent.etcd;

import dev.incumbent.wire.Json;

/** A key with its value (empty where only keys were asked for) and the revisions at which it was created and last written. */
public record KeyValue(String key, String value, long createRevision, long modRevision) {
    static KeyValue of(Json json) {
        return new KeyValue(
                json.at("key").decoded(),
                json.at("value").decoded(),
                json.at("create_revision").number(),
                json.at("mod_revision").number());
    }
}
