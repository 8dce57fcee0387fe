package dev.incumbent.consul;

import dev.incumbent.wire.Json;
import java.util.Optional;

/** A key as Consul told it: its text (empty where only its indexes were told), and the session that locks it. */
public record Entry(String key, String value, Optional<String> session, long createIndex, long modifyIndex) {
    static Entry of(Json json) {
        return new Entry(
                json.at("Key").text(),
                json.at("Value").decoded(),
                Optional.of(json.at("Session").text()).filter(session -> !session.isEmpty()),
                json.at("CreateIndex").number(),
                json.at("ModifyIndex").number());
    }
}
