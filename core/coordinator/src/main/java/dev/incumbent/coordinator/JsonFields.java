package dev.incumbent.coordinator;

import dev.incumbent.wire.Json;
import dev.incumbent.wire.JsonException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The fields of one JSON object. Each is taken by its name and kind; what nobody took can be told. */
final class JsonFields {
    static final int LONGEST = 1 << 20;

    /** How deep a field that a later version added to a part may be nested. */
    static final int DEEPEST_ADDITION = 8;

    private static final int DEEPEST = 32;

    private final Json object;
    private final Set<String> taken = new HashSet<>();

    private JsonFields(Json object) {
        this.object = object;
    }

    static JsonFields none() {
        return new JsonFields(Json.ABSENT);
    }

    /** Reads a text that is one object, bounded in length and depth. */
    static JsonFields read(String text) throws UnreadableRecordException {
        if (text.length() > LONGEST) {
            throw new UnreadableRecordException(
                    "a document has at most " + LONGEST + " characters, this one has " + text.length());
        }
        try {
            Json document = Json.read(text, DEEPEST);
            if (document.kind() != Json.Kind.OBJECT) {
                throw new UnreadableRecordException("a document is an object, this one is none");
            }
            return new JsonFields(document);
        } catch (JsonException e) {
            throw new UnreadableRecordException(String.valueOf(e.getMessage()), e);
        }
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
            if (value.kind() == Json.Kind.NUMBER) {
                return value.number();
            }
        } catch (NumberFormatException e) {
            throw new UnreadableRecordException("the field '" + name + "' is no whole number below 2^63", e);
        }
        throw notOfKind(name, "a whole number");
    }

    boolean flag(String name) throws UnreadableRecordException {
        Json value = required(name);
        if (value.kind() == Json.Kind.FLAG) {
            return value.flag();
        }
        throw notOfKind(name, "true or false");
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
        if (value.get().kind() == Json.Kind.LIST) {
            return value.get().items();
        }
        throw notOfKind(name, "a list");
    }

    /** The names of all fields, in the order of the text. */
    Set<String> names() {
        return object.names();
    }

    /** What nobody took: name to raw text. */
    Map<String, String> untaken() {
        Map<String, String> rest = new TreeMap<>();
        for (String name : object.names()) {
            if (!taken.contains(name)) {
                rest.put(name, object.at(name).source());
            }
        }
        return rest;
    }

    /** What nobody took of a part: it may move to a deeper place of a document, so it is no deeper than {@link #DEEPEST_ADDITION} itself. */
    Map<String, String> additions(String where) throws UnreadableRecordException {
        for (String name : object.names()) {
            if (!taken.contains(name) && object.at(name).depth() > DEEPEST_ADDITION) {
                throw new UnreadableRecordException("the field '" + name + "' of " + where
                        + ", which this version does not know, is nested deeper than " + DEEPEST_ADDITION);
            }
        }
        return untaken();
    }

    static String textOf(String name, Json value) throws UnreadableRecordException {
        if (value.kind() == Json.Kind.TEXT) {
            return value.text();
        }
        throw notOfKind(name, "a string");
    }

    static JsonFields fieldsOf(String name, Json value) throws UnreadableRecordException {
        if (value.kind() == Json.Kind.OBJECT) {
            return new JsonFields(value);
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
        return object.has(name) ? Optional.of(object.at(name)) : Optional.empty();
    }

    private static UnreadableRecordException notOfKind(String name, String kind) {
        return new UnreadableRecordException("the field '" + name + "' is not " + kind);
    }
}
