package dev.incumbent.cli.frame;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** One JSON object under construction, on one line, its fields in the order they were put (docs/decisions/0201). Not thread-safe. */
public final class JsonObject {
    private final StringBuilder text = new StringBuilder("{");

    public JsonObject put(String key, String value) {
        return raw(key, quoted(value));
    }

    public JsonObject put(String key, long value) {
        return raw(key, Long.toString(value));
    }

    /** A number to three decimals. */
    public JsonObject putDecimal(String key, double value) {
        return raw(
                key, BigDecimal.valueOf(value).setScale(3, RoundingMode.HALF_UP).toPlainString());
    }

    public JsonObject put(String key, boolean value) {
        return raw(key, Boolean.toString(value));
    }

    /** A time for people, in UTC. */
    public JsonObject put(String key, Instant value) {
        return put(key, value.toString());
    }

    public JsonObject put(String key, JsonObject value) {
        return raw(key, value.toString());
    }

    /** Null where it is absent. */
    public JsonObject put(String key, Optional<JsonObject> value) {
        return raw(key, value.map(JsonObject::toString).orElse("null"));
    }

    public JsonObject putNull(String key) {
        return raw(key, "null");
    }

    public JsonObject putStrings(String key, Iterable<?> values) {
        StringBuilder array = new StringBuilder("[");
        for (Object value : values) {
            array.append(array.length() > 1 ? "," : "").append(quoted(value.toString()));
        }
        return raw(key, array.append(']').toString());
    }

    public JsonObject put(String key, List<JsonObject> values) {
        return raw(key, array(values));
    }

    /** A JSON array of objects. */
    public static String array(List<JsonObject> values) {
        StringBuilder array = new StringBuilder("[");
        for (JsonObject value : values) {
            array.append(array.length() > 1 ? "," : "").append(value);
        }
        return array.append(']').toString();
    }

    /** The object so far. */
    @Override
    public String toString() {
        return text + "}";
    }

    private JsonObject raw(String key, String json) {
        text.append(text.length() > 1 ? "," : "")
                .append(quoted(key))
                .append(':')
                .append(json);
        return this;
    }

    private static String quoted(String value) {
        StringBuilder quoted = new StringBuilder(value.length() + 2).append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append(c);
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                case '\r' -> quoted.append("\\r");
                default -> appendPlain(quoted, c);
            }
        }
        return quoted.append('"').toString();
    }

    private static void appendPlain(StringBuilder quoted, char c) {
        if (c < ' ' || c == 0x7f || Character.isSurrogate(c)) {
            quoted.append("\\u").append(Character.forDigit(c >> 12, 16)).append(Character.forDigit(c >> 8 & 15, 16));
            quoted.append(Character.forDigit(c >> 4 & 15, 16)).append(Character.forDigit(c & 15, 16));
        } else {
            quoted.append(c);
        }
    }
}
