package dev.incumbent.consul;

import dev.incumbent.wire.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Operations on keys that Consul applies all together, or not at all. Used by one thread. */
public final class Txn {
    /** So many fit into one. */
    public static final int MOST = 64;

    private final List<String> operations = new ArrayList<>();

    /** Of none yet; it changes nothing. */
    public Txn() {}

    /** Fails unless the key was last modified at that index; 0 is a key that is not there. */
    public Txn cas(String key, long index, String value) {
        return add("cas", key, ",\"Index\":" + index + ",\"Value\":" + Json.encoded(value));
    }

    public Txn set(String key, String value) {
        return set(key, value.getBytes(StandardCharsets.UTF_8));
    }

    public Txn set(String key, byte[] value) {
        return add("set", key, ",\"Value\":" + Json.encoded(value));
    }

    /** Fails unless the key is there. */
    public Txn get(String key) {
        return add("get", key, "");
    }

    public Txn getTree(String prefix) {
        return add("get-tree", prefix, "");
    }

    public Txn delete(String key) {
        return add("delete", key, "");
    }

    /** Fails unless that session lives, and the key is free or its own. */
    public Txn lock(String key, String session, String value) {
        return add("lock", key, session(session) + ",\"Value\":" + Json.encoded(value));
    }

    /** Fails unless that session locks the key. */
    public Txn unlock(String key, String session) {
        return add("unlock", key, session(session));
    }

    /** Fails unless that session locks the key. */
    public Txn checkSession(String key, String session) {
        return add("check-session", key, session(session));
    }

    String json() {
        return "[" + String.join(",", operations) + "]";
    }

    private Txn add(String verb, String key, String more) {
        operations.add("{\"KV\":{\"Verb\":\"" + verb + "\",\"Key\":" + Json.quoted(key) + more + "}}");
        return this;
    }

    private static String session(String session) {
        return ",\"Session\":" + Json.quoted(session);
    }
}
