package dev.incumbent.coordinator.kubernetes;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** JSON as maps and lists: an object that somebody else wrote may hold anything, and must not fail us. */
final class Document {
    private static final KubernetesSerialization JSON = new KubernetesSerialization();

    private Document() {}

    /** An object's text, read. */
    static Map<String, Object> read(String text) {
        try {
            return checked(JSON.unmarshal(text, Map.class));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("no JSON object: " + e.getMessage(), e);
        }
    }

    static String write(Object value) {
        return JSON.asJson(value);
    }

    /** A part; empty where there is none, or another kind of thing. */
    static Map<String, Object> map(Map<String, Object> of, String name) {
        return checked(of.get(name));
    }

    static List<Map<String, Object>> list(Map<String, Object> of, String name) {
        List<Map<String, Object>> items = new ArrayList<>();
        if (of.get(name) instanceof List<?> list) {
            list.forEach(item -> items.add(checked(item)));
        }
        return items;
    }

    static Optional<String> text(Map<String, Object> of, String name) {
        return of.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
    }

    static long number(Map<String, Object> of, String name) {
        return of.get(name) instanceof Number number ? number.longValue() : 0;
    }

    private static Map<String, Object> checked(@Nullable Object value) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, field) -> {
                if (field != null) {
                    fields.put(String.valueOf(name), field);
                }
            });
        }
        return fields;
    }
}
