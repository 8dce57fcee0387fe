package dev.incumbent.etcd;

import dev.incumbent.wire.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A transaction: if all compares hold, some operations, else others. Built by one thread, then read only. */
public final class Txn {
    private static final int FIXED = 64;

    private final List<String> compares = new ArrayList<>();
    private final List<String> then = new ArrayList<>();
    private final List<String> otherwise = new ArrayList<>();
    private final Set<String> written = new HashSet<>();
    private boolean inElse;

    /** Without compares, which hold, and without operations. */
    public Txn() {}

    public Txn ifMissing(String key) {
        return compare(key, "EQUAL", "VERSION", "\"version\":\"0\"");
    }

    public Txn ifPresent(String key) {
        return compare(key, "GREATER", "VERSION", "\"version\":\"0\"");
    }

    public Txn ifModifiedAt(String key, long revision) {
        return compare(key, "EQUAL", "MOD", "\"mod_revision\":\"" + revision + "\"");
    }

    public Txn ifValue(String key, String value) {
        return compare(key, "EQUAL", "VALUE", "\"value\":" + Json.encoded(value));
    }

    /** The value has more bytes than that, or greater ones. */
    public Txn ifValueAbove(String key, String value) {
        return compare(key, "GREATER", "VALUE", "\"value\":" + Json.encoded(value));
    }

    public Txn ifValueBelow(String key, String value) {
        return compare(key, "LESS", "VALUE", "\"value\":" + Json.encoded(value));
    }

    private Txn compare(String key, String result, String target, String with) {
        compares.add("{\"key\":" + Json.encoded(key) + ",\"result\":\"" + result + "\",\"target\":\"" + target + "\","
                + with + "}");
        return this;
    }

    public Txn put(String key, String value) {
        return write(
                key, "{\"request_put\":{\"key\":" + Json.encoded(key) + ",\"value\":" + Json.encoded(value) + "}}");
    }

    /** The key ends with the lease. */
    public Txn put(String key, String value, long lease) {
        return write(
                key,
                "{\"request_put\":{\"key\":" + Json.encoded(key) + ",\"value\":" + Json.encoded(value) + ",\"lease\":\""
                        + lease + "\"}}");
    }

    public Txn delete(String key) {
        return write(key, "{\"request_delete_range\":{\"key\":" + Json.encoded(key) + "}}");
    }

    public Txn get(String key) {
        return operation("{\"request_range\":{\"key\":" + Json.encoded(key) + "}}");
    }

    /** All keys with that prefix, in the order of their creation. */
    public Txn getAll(String prefix) {
        return operation(
                "{\"request_range\":" + range(prefix, ",\"sort_order\":\"ASCEND\",\"sort_target\":\"CREATE\"") + "}");
    }

    /** The same without their values, in the order of the keys. */
    public Txn getKeys(String prefix) {
        return operation("{\"request_range\":" + range(prefix, ",\"keys_only\":true") + "}");
    }

    /** What follows is done where a compare does not hold. */
    public Txn otherwise() {
        inElse = true;
        return this;
    }

    /** Is never sent as one with another that is apart from the same. */
    public Txn apartFrom(String what) {
        written.add(what);
        return this;
    }

    private Txn write(String key, String operation) {
        written.add(key);
        return operation(operation);
    }

    private Txn operation(String operation) {
        (inElse ? otherwise : then).add(operation);
        return this;
    }

    static String range(String prefix, String more) {
        return "{\"key\":" + Json.encoded(prefix) + ",\"range_end\":" + Json.encoded(after(prefix)) + more + "}";
    }

    /** The first key after all with that prefix; its last character is no greatest one. */
    static String after(String prefix) {
        int last = prefix.length() - 1;
        return prefix.substring(0, last) + (char) (prefix.charAt(last) + 1);
    }

    /** May both be sent as one? Not where both write one key. */
    boolean goesWith(Set<String> otherWritten) {
        return Collections.disjoint(written, otherWritten);
    }

    Set<String> written() {
        return written;
    }

    boolean writes() {
        return !written.isEmpty();
    }

    int operations() {
        return Math.max(compares.size(), Math.max(then.size(), otherwise.size()));
    }

    int length() {
        int length = FIXED;
        for (List<String> part : List.of(compares, then, otherwise)) {
            for (String one : part) {
                length += one.length() + 1;
            }
        }
        return length;
    }

    String json() {
        return "{\"compare\":[" + String.join(",", compares) + "],\"success\":[" + String.join(",", then)
                + "],\"failure\":[" + String.join(",", otherwise) + "]}";
    }

    /** Several as one: each is decided on its own, by the state before all of them. */
    static String json(List<Txn> several) {
        StringBuilder json = new StringBuilder("{\"success\":[");
        for (int i = 0; i < several.size(); i++) {
            json.append(i == 0 ? "" : ",")
                    .append("{\"request_txn\":")
                    .append(several.get(i).json())
                    .append('}');
        }
        return json.append("]}").toString();
    }
}
