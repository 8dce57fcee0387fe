package dev.incumbent.fence.consul;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Operations on keys that Consul applies all together, or not at all. Used by one thread. */
final class Operations {
    private final ArrayNode operations = JsonNodeFactory.instance.arrayNode();

    /** Fails unless the key is there. */
    Operations get(String key) {
        operation("get", key);
        return this;
    }

    Operations getTree(String prefix) {
        operation("get-tree", prefix);
        return this;
    }

    Operations set(String key, byte[] value) {
        operation("set", key).put("Value", Base64.getEncoder().encodeToString(value));
        return this;
    }

    /** Fails unless the key was last modified at that index; 0 is a key that is not there. */
    Operations cas(String key, long index, String value) {
        set(key, value.getBytes(StandardCharsets.UTF_8));
        ((ObjectNode) operations.get(operations.size() - 1).path("KV"))
                .put("Verb", "cas")
                .put("Index", index);
        return this;
    }

    Operations delete(String key) {
        operation("delete", key);
        return this;
    }

    int size() {
        return operations.size();
    }

    String json() {
        return operations.toString();
    }

    private ObjectNode operation(String verb, String key) {
        return operations.addObject().putObject("KV").put("Verb", verb).put("Key", key);
    }
}
