package dev.incumbent.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;

/** Writes JSON on one line, without blanks. Not thread-safe. */
public final class JsonWriter {
    private static final int LAST_OF_ASCII = 127;

    private final StringWriter text = new StringWriter();
    private final JsonGenerator generator;

    public JsonWriter() {
        try {
            generator = Jackson.FACTORY.createGenerator(text);
        } catch (IOException e) {
            throw inMemory(e);
        }
    }

    private interface Writing {
        void write() throws IOException;
    }

    public JsonWriter openObject() {
        return with(generator::writeStartObject);
    }

    public JsonWriter closeObject() {
        return with(generator::writeEndObject);
    }

    public JsonWriter openList() {
        return with(generator::writeStartArray);
    }

    public JsonWriter closeList() {
        return with(generator::writeEndArray);
    }

    /** Its value comes next. */
    public JsonWriter name(String name) {
        return with(() -> {
            escapingFor(name);
            generator.writeFieldName(name);
        });
    }

    public JsonWriter value(String value) {
        return with(() -> {
            escapingFor(value);
            generator.writeString(value);
        });
    }

    public JsonWriter value(long value) {
        return with(() -> generator.writeNumber(value));
    }

    public JsonWriter value(BigDecimal value) {
        return with(() -> generator.writeNumber(value.toPlainString()));
    }

    public JsonWriter value(boolean value) {
        return with(() -> generator.writeBoolean(value));
    }

    public JsonWriter nothing() {
        return with(generator::writeNull);
    }

    /** A value that is JSON already. */
    public JsonWriter raw(String json) {
        return with(() -> generator.writeRawValue(json));
    }

    public JsonWriter field(String name, String value) {
        return name(name).value(value);
    }

    public JsonWriter field(String name, long value) {
        return name(name).value(value);
    }

    public JsonWriter rawField(String name, String json) {
        return name(name).raw(json);
    }

    /** What was written as yet; more may follow. */
    public String soFar() {
        with(generator::flush);
        return text.toString();
    }

    /** What was written, whole. */
    public String done() {
        with(generator::close);
        return text.toString();
    }

    private JsonWriter with(Writing writing) {
        try {
            writing.write();
            return this;
        } catch (IOException e) {
            throw inMemory(e);
        }
    }

    /** Half a surrogate pair has no UTF-8 of its own: where there is one, all but ASCII is written as escapes. */
    private void escapingFor(String value) {
        generator.setHighestNonEscapedChar(isPaired(value) ? 0 : LAST_OF_ASCII);
    }

    private static boolean isPaired(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (Character.isSurrogate(value.charAt(i))) {
                if (!Character.isSurrogatePair(value.charAt(i), i + 1 < value.length() ? value.charAt(i + 1) : ' ')) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    private static UncheckedIOException inMemory(IOException e) {
        return new UncheckedIOException("a text in memory cannot be written", e);
    }
}
