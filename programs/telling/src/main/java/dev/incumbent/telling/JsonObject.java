package dev.incumbent.telling;

import dev.incumbent.wire.JsonWriter;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** One JSON object under construction, on one line, its fields in the order they were put. Not thread-safe. */
public final class JsonObject {
    private final JsonWriter json = new JsonWriter().openObject();

    public JsonObject put(String key, String value) {
        json.field(key, value);
        return this;
    }

    public JsonObject put(String key, long value) {
        json.field(key, value);
        return this;
    }

    /** A number to three decimals. */
    public JsonObject putDecimal(String key, double value) {
        json.name(key).value(BigDecimal.valueOf(value).setScale(3, RoundingMode.HALF_UP));
        return this;
    }

    public JsonObject put(String key, boolean value) {
        json.name(key).value(value);
        return this;
    }

    /** A time for people, in UTC. */
    public JsonObject put(String key, Instant value) {
        return put(key, value.toString());
    }

    public JsonObject put(String key, JsonObject value) {
        json.rawField(key, value.toString());
        return this;
    }

    /** Null where it is absent. */
    public JsonObject put(String key, Optional<JsonObject> value) {
        return value.isPresent() ? put(key, value.get()) : putNull(key);
    }

    public JsonObject putNull(String key) {
        json.name(key).nothing();
        return this;
    }

    public JsonObject putStrings(String key, Iterable<?> values) {
        json.name(key).openList();
        values.forEach(value -> json.value(value.toString()));
        json.closeList();
        return this;
    }

    public JsonObject put(String key, List<JsonObject> values) {
        json.rawField(key, array(values));
        return this;
    }

    /** A JSON array of objects. */
    public static String array(List<JsonObject> values) {
        return values.stream().map(JsonObject::toString).collect(Collectors.joining(",", "[", "]"));
    }

    /** Prints it on one line, with one more field: an array of objects that are printed as they come, and need not be kept. Nothing is printed before the first one comes. */
    public void printWith(PrintStream out, String key, Consumer<Consumer<JsonObject>> values) {
        StringBuilder before = new StringBuilder(json.name(key).openList().soFar());
        values.accept(value -> {
            out.append(before).append(value.toString());
            before.setLength(0);
            before.append(',');
        });
        out.println(before.toString().equals(",") ? "]}" : before + "]}");
    }

    /** The object so far. */
    @Override
    public String toString() {
        return json.soFar() + "}";
    }
}
