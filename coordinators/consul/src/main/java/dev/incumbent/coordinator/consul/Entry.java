package dev.incumbent.coordinator.consul;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** A key as Consul told it: its text (empty where only its indexes were told), and the session that locks it. */
record Entry(String key, String value, Optional<String> session, long createIndex, long modifyIndex) {
    static Entry of(JsonNode json) {
        return new Entry(
                json.path("Key").asText(),
                new String(Base64.getDecoder().decode(json.path("Value").asText("")), StandardCharsets.UTF_8),
                Optional.of(json.path("Session").asText("")).filter(session -> !session.isEmpty()),
                json.path("CreateIndex").asLong(),
                json.path("ModifyIndex").asLong());
    }
}
