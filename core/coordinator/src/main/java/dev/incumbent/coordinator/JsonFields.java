package dev.incumbent.coordinator;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The fields of one JSON object. Each is taken by its name and kind; what nobody took can be told. */
final class JsonFields {
    /** How deep a field that a later version added to a part may be nested. */
    static final int DEEPEST_ADDITION = 8;

    private final Map<String, Json> values = new LinkedHashMap<>();
    private final Map<String, String> raw = new LinkedHashMap<>();
    private final Set<String> taken = new HashSet<>();

    /** False if there is one of that name already. */
    boolean add(String name, Json value, String itsText) {
        raw.put(name, itsText);
        return values.put(name, value) == null;
    }

    String text(String name) throws UnreadableRecordException {
        return textOf(name, required(name));
    }

    Optional<String> textIfAny(String name) throws UnreadableRecordException {
        Optional<Json> value = take(name);
        return value.isPresent() ? Optional.of(textOf(name, value.get())) : Optional.empty();
    }

    long whole(String name) throws UnreadableRecordException {
        Json value = required(name);
        try {
            if (value instanceof Json.Numeral number) {
                return Long.parseLong(number.digits());
            }
        } catch (NumberFormatException e) {
            throw new UnreadableRecordException("the field '" + name + "' is no whole number below 2^63", e);
        }
        throw notOfKind(name, "a whole number");
    }

    JsonFields fields(String name) throws UnreadableRecordException {
        return fieldsOf(name, required(name));
    }

    Optional<JsonFields> fieldsIfAny(String name) throws UnreadableRecordException {
        Optional<Json> value = take(name);
        return value.isPresent() ? Optional.of(fieldsOf(name, value.get())) : Optional.empty();
    }

    List<Json> itemsIfAny(String name) throws UnreadableRecordException {
        Optional<Json> value = take(name);
        if (value.isEmpty()) {
            return List.of();
        }
        if (value.get() instanceof Json.Items items) {
            return items.values();
        }
        throw notOfKind(name, "a list");
    }

    /** The names of all fields, in the order of the text. */
    Set<String> names() {
        return values.keySet();
    }

    /** What nobody took: name to raw text. */
    Map<String, String> untaken() {
        Map<String, String> rest = new TreeMap<>(raw);
        rest.keySet().removeAll(taken);
        return rest;
    }

    /** What nobody took of a part: it may move to a deeper place of a document, so it is no deeper than {@link #DEEPEST_ADDITION} itself. */
    Map<String, String> additions(String where) throws UnreadableRecordException {
        for (Map.Entry<String, Json> field : values.entrySet()) {
            if (!taken.contains(field.getKey()) && depth(field.getValue()) > DEEPEST_ADDITION) {
                throw new UnreadableRecordException("the field '" + field.getKey() + "' of " + where
                        + ", which this version does not know, is nested deeper than " + DEEPEST_ADDITION);
            }
        }
        return untaken();
    }

    private static int depth(Json value) {
        int deepest = 0;
        if (value instanceof Json.Items items) {
            for (Json inner : items.values()) {
                deepest = Math.max(deepest, depth(inner));
            }
        } else if (value instanceof Json.Fields object) {
            for (Json inner : object.fields().values.values()) {
                deepest = Math.max(deepest, depth(inner));
            }
        } else {
            return 0;
        }
        return deepest + 1;
    }

    static String textOf(String name, Json value) throws UnreadableRecordException {
        if (value instanceof Json.Text text) {
            return text.value();
        }
        throw notOfKind(name, "a string");
    }

    static JsonFields fieldsOf(String name, Json value) throws UnreadableRecordException {
        if (value instanceof Json.Fields object) {
            return object.fields();
        }
        throw notOfKind(name, "an object");
    }

    private Json required(String name) throws UnreadableRecordException {
        Optional<Json> value = take(name);
        if (value.isEmpty()) {
            throw new UnreadableRecordException("the field '" + name + "' is missing");
        }
        return value.get();
    }

    private Optional<Json> take(String name) {
        taken.add(name);
        return Optional.ofNullable(values.get(name));
    }

    private static UnreadableRecordException notOfKind(String name, String kind) {
        return new UnreadableRecordException("the field '" + name + "' is not " + kind);
    }
}
