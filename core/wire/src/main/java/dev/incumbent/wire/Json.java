package dev.incumbent.wire;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A JSON value (RFC 8259) as it was read. What is absent is empty, zero or false, as protocol buffers mean it, and a 64-bit number may stand as a string.
 * Numbers keep their digits. Immutable.
 *
 * <p>Reading is strict: no field twice, nothing after the value, no blank where none belongs, and no deeper than a bound.
 */
public final class Json {
    /** How deep a text may be nested that a store answers. */
    public static final int DEEPEST = 64;

    public static final Json ABSENT = new Json(Kind.ABSENT, "", List.of(), Map.of(), new Slice("", 0, 0));

    private final Kind kind;
    private final String scalar;
    private final List<Json> items;
    private final Map<String, Json> fields;
    private final Slice slice;

    /** What a value is. {@link #ABSENT} is what {@link #at} finds where there is no such field. */
    public enum Kind {
        ABSENT,
        NULL,
        TEXT,
        NUMBER,
        FLAG,
        LIST,
        OBJECT
    }

    /** Where it stands in the text that was read. */
    record Slice(String text, int from, int to) {
        @Override
        public String toString() {
            return text.substring(from, to);
        }
    }

    private Json(Kind kind, String scalar, List<Json> items, Map<String, Json> fields, Slice slice) {
        this.kind = kind;
        this.scalar = scalar;
        this.items = items;
        this.fields = fields;
        this.slice = slice;
    }

    static Json scalar(Kind kind, String text, Slice slice) {
        return new Json(kind, text, List.of(), Map.of(), slice);
    }

    static Json list(List<Json> items, Slice slice) {
        return new Json(Kind.LIST, "", items, Map.of(), slice);
    }

    static Json object(Map<String, Json> fields, Slice slice) {
        return new Json(Kind.OBJECT, "", List.of(), fields, slice);
    }

    /** Reads one value. */
    public static Json read(String text) throws JsonException {
        return new JsonReader(text, DEEPEST).read();
    }

    /** Reads one value, nested no deeper than that: {@code []} is nested one deep. */
    public static Json read(String text, int deepest) throws JsonException {
        return new JsonReader(text, deepest).read();
    }

    public Kind kind() {
        return kind;
    }

    /** A field of an object; absent if there is none. */
    public Json at(String name) {
        return fields.getOrDefault(name, ABSENT);
    }

    /** Is there such a field? */
    public boolean has(String name) {
        return fields.containsKey(name);
    }

    /** The names of an object's fields, in the order of the text. */
    public Set<String> names() {
        return fields.keySet();
    }

    /** The members of a list. */
    public List<Json> items() {
        return items;
    }

    /** A string's text, a number's digits, {@code true} or {@code false}; of all else nothing. */
    public String text() {
        return scalar;
    }

    public long number() {
        return scalar.isEmpty() ? 0 : Long.parseLong(scalar);
    }

    public boolean flag() {
        return scalar.equals("true");
    }

    /** The text whose bytes stand in Base64 here. */
    public String decoded() {
        return new String(Base64.getDecoder().decode(scalar), StandardCharsets.UTF_8);
    }

    /** The JSON that it was read from, to the character. */
    public String source() {
        return slice.toString();
    }

    /** How many objects and lists lie in one another here: none in a scalar. */
    public int depth() {
        int deepest = 0;
        for (Json inner : items) {
            deepest = Math.max(deepest, inner.depth());
        }
        for (Json inner : fields.values()) {
            deepest = Math.max(deepest, inner.depth());
        }
        return kind == Kind.LIST || kind == Kind.OBJECT ? deepest + 1 : 0;
    }

    /** A text as a JSON string. */
    public static String quoted(String text) {
        return new JsonWriter().value(text).done();
    }

    /** A text's bytes as a JSON string in Base64. */
    public static String encoded(String text) {
        return encoded(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Bytes as a JSON string in Base64. */
    public static String encoded(byte[] bytes) {
        return '"' + Base64.getEncoder().encodeToString(bytes) + '"';
    }
}
