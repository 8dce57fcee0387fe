package dev.incumbent.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.incumbent.wire.Json.Kind;
import dev.incumbent.wire.Json.Slice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads one text, by Jackson's parser. */
final class JsonReader {
    private final String text;
    private final int deepest;
    private int depth;

    JsonReader(String text, int deepest) {
        this.text = text;
        this.deepest = deepest;
    }

    Json read() throws JsonException {
        try (JsonParser parser = Jackson.FACTORY.createParser(text)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw endsEarly();
            }
            Json value = value(parser, first);
            if (parser.nextToken() != null) {
                throw noJson(parser.currentTokenLocation().getCharOffset());
            }
            return value;
        } catch (JsonException e) {
            throw e;
        } catch (JsonEOFException e) {
            throw endsEarly();
        } catch (StreamConstraintsException e) {
            throw new JsonException("a number or a name is too long");
        } catch (JsonProcessingException e) {
            throw noJson(e.getLocation().getCharOffset());
        } catch (IOException e) {
            throw new UncheckedIOException("a text in memory cannot be read", e);
        }
    }

    private Json value(JsonParser parser, JsonToken token) throws IOException {
        long from = parser.currentTokenLocation().getCharOffset();
        return switch (token) {
            case START_OBJECT -> Json.object(fields(parser), since(from, parser));
            case START_ARRAY -> Json.list(members(parser), since(from, parser));
            case VALUE_STRING -> scalar(Kind.TEXT, parser, from);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> scalar(Kind.NUMBER, parser, from);
            case VALUE_TRUE, VALUE_FALSE -> scalar(Kind.FLAG, parser, from);
            case VALUE_NULL -> Json.scalar(Kind.NULL, "", since(from, parser));
            default -> throw noJson(from);
        };
    }

    /** The text before the slice: the parser has read all of a string only then. */
    private Json scalar(Kind kind, JsonParser parser, long from) throws IOException {
        String scalar = parser.getText();
        return Json.scalar(kind, scalar, since(from, parser));
    }

    private Map<String, Json> fields(JsonParser parser) throws IOException {
        descend(parser);
        Map<String, Json> fields = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            long from = parser.currentTokenLocation().getCharOffset();
            if (fields.put(name, value(parser, parser.nextToken())) != null) {
                throw new JsonException("the field '" + name + "' stands twice, again at position " + (from + 1));
            }
        }
        depth--;
        return Collections.unmodifiableMap(fields);
    }

    private List<Json> members(JsonParser parser) throws IOException {
        descend(parser);
        List<Json> members = new ArrayList<>();
        for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
            members.add(value(parser, next));
        }
        depth--;
        return Collections.unmodifiableList(members);
    }

    private void descend(JsonParser parser) throws JsonException {
        if (++depth > deepest) {
            throw new JsonException("nested deeper than " + deepest + " at position "
                    + (parser.currentTokenLocation().getCharOffset() + 1));
        }
    }

    private Slice since(long from, JsonParser parser) {
        return new Slice(text, (int) from, (int) parser.currentLocation().getCharOffset());
    }

    private JsonException endsEarly() {
        return new JsonException("the text ends early, after " + text.length() + " characters");
    }

    private static JsonException noJson(long offset) {
        return new JsonException("no JSON at position " + (offset + 1));
    }
}
