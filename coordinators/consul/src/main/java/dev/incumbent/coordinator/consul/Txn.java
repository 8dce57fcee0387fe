package dev.incumbent.coordinator.consul;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.incumbent.model.LeaseId;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Operations that Consul applies all together, or not at all. Used by one thread. */
final class Txn {
    /** So many fit into one. */
    static final int MOST = 64;

    private final ArrayNode operations = JsonNodeFactory.instance.arrayNode();

    /** Fails unless the key was last modified at that index; 0 is a key that is not there. */
    Txn cas(String key, long index, String value) {
        operation("cas", key).put("Index", index).put("Value", encoded(value));
        return this;
    }

    Txn set(String key, String value) {
        operation("set", key).put("Value", encoded(value));
        return this;
    }

    /** Fails unless the key is there. */
    Txn get(String key) {
        operation("get", key);
        return this;
    }

    Txn getTree(String prefix) {
        operation("get-tree", prefix);
        return this;
    }

    Txn delete(String key) {
        operation("delete", key);
        return this;
    }

    /** Fails unless that session lives, and the key is free or its own. */
    Txn lock(String key, LeaseId session, String value) {
        operation("lock", key).put("Session", session.value()).put("Value", encoded(value));
        return this;
    }

    /** Fails unless that session locks the key. */
    Txn unlock(String key, String session) {
        operation("unlock", key).put("Session", session);
        return this;
    }

    /** Fails unless that session locks the key. */
    Txn checkSession(String key, LeaseId session) {
        operation("check-session", key).put("Session", session.value());
        return this;
    }

    String json() {
        return operations.toString();
    }

    private ObjectNode operation(String verb, String key) {
        return operations.addObject().putObject("KV").put("Verb", verb).put("Key", key);
    }

    private static String encoded(String value) {
        return Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8));
    }
}
