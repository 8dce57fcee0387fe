package dev.incumbent.coordinator;

import java.util.ArrayList;
import java.util.List;

/** A strict reader of JSON (RFC 8259): no duplicate field, nothing after the value, bounded in length and depth. */
final class JsonReader {
    static final int LONGEST = 1 << 20;
    private static final int DEEPEST = 32;

    private final String text;
    private int at;
    private int depth;

    private JsonReader(String text) {
        this.text = text;
    }

    /** Reads a text that is one object. */
    static JsonFields read(String text) throws UnreadableRecordException {
        if (text.length() > LONGEST) {
            throw new UnreadableRecordException(
                    "a document has at most " + LONGEST + " characters, this one has " + text.length());
        }
        JsonReader reader = new JsonReader(text);
        reader.skipBlanks();
        if (reader.peek() != '{') {
            throw reader.unexpected("an object");
        }
        JsonFields fields = reader.fields();
        reader.skipBlanks();
        if (reader.at < text.length()) {
            throw reader.unexpected("the end");
        }
        return fields;
    }

    private Json value() throws UnreadableRecordException {
        return switch (peek()) {
            case '{' -> new Json.Fields(fields());
            case '[' -> new Json.Items(items());
            case '"' -> new Json.Text(string());
            case 't' -> word("true", new Json.Flag(true));
            case 'f' -> word("false", new Json.Flag(false));
            case 'n' -> word("null", new Json.Nothing());
            default -> number();
        };
    }

    private JsonFields fields() throws UnreadableRecordException {
        descend();
        JsonFields fields = new JsonFields();
        for (boolean more = opens('{', '}'); more; more = goesOn('}')) {
            int start = at;
            String name = string();
            skipBlanks();
            expect(':');
            skipBlanks();
            int valueStart = at;
            Json value = value();
            if (!fields.add(name, value, text.substring(valueStart, at))) {
                throw new UnreadableRecordException(
                        "the field '" + name + "' stands twice, again at position " + (start + 1));
            }
        }
        depth--;
        return fields;
    }

    private List<Json> items() throws UnreadableRecordException {
        descend();
        List<Json> values = new ArrayList<>();
        for (boolean more = opens('[', ']'); more; more = goesOn(']')) {
            values.add(value());
        }
        depth--;
        return values;
    }

    /** Past the opening character; is there a first member? */
    private boolean opens(char open, char close) throws UnreadableRecordException {
        expect(open);
        skipBlanks();
        return !skipped(close);
    }

    /** Past the comma after a member; is there another one? */
    private boolean goesOn(char close) throws UnreadableRecordException {
        skipBlanks();
        if (skipped(close)) {
            return false;
        }
        if (!skipped(',')) {
            throw unexpected("'" + close + "' or ','");
        }
        skipBlanks();
        return true;
    }

    private String string() throws UnreadableRecordException {
        expect('"');
        StringBuilder read = new StringBuilder();
        while (peek() != '"') {
            char c = next();
            if (c < ' ') {
                at--;
                throw unexpected("no bare control character in a string");
            }
            read.append(c == '\\' ? escaped() : c);
        }
        at++;
        return read.toString();
    }

    private char escaped() throws UnreadableRecordException {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> hex();
            default -> {
                at--;
                throw unexpected("an escape");
            }
        };
    }

    private char hex() throws UnreadableRecordException {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            char c = next();
            int digit = c < 128 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                at--;
                throw unexpected("a hexadecimal digit");
            }
            code = code * 16 + digit;
        }
        return (char) code;
    }

    private Json number() throws UnreadableRecordException {
        int start = at;
        skipped('-');
        if (!skipped('0')) {
            digits();
        }
        if (skipped('.')) {
            digits();
        }
        if (skipped('e') || skipped('E')) {
            if (!skipped('+')) {
                skipped('-');
            }
            digits();
        }
        return new Json.Numeral(text.substring(start, at));
    }

    private void digits() throws UnreadableRecordException {
        if (!isDigit(peek())) {
            throw unexpected("a value");
        }
        while (at < text.length() && isDigit(text.charAt(at))) {
            at++;
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private Json word(String word, Json value) throws UnreadableRecordException {
        if (!text.startsWith(word, at)) {
            throw unexpected("a value");
        }
        at += word.length();
        return value;
    }

    private void descend() throws UnreadableRecordException {
        if (++depth > DEEPEST) {
            throw new UnreadableRecordException("nested deeper than " + DEEPEST + " at position " + (at + 1));
        }
    }

    private void skipBlanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean skipped(char c) {
        boolean there = at < text.length() && text.charAt(at) == c;
        at += there ? 1 : 0;
        return there;
    }

    private void expect(char c) throws UnreadableRecordException {
        if (!skipped(c)) {
            throw unexpected("'" + c + "'");
        }
    }

    private char next() throws UnreadableRecordException {
        char c = peek();
        at++;
        return c;
    }

    private char peek() throws UnreadableRecordException {
        if (at >= text.length()) {
            throw new UnreadableRecordException("the text ends early, after " + text.length() + " characters");
        }
        return text.charAt(at);
    }

    private UnreadableRecordException unexpected(String wanted) {
        String found = at < text.length() ? "'" + text.charAt(at) + "'" : "the end";
        return new UnreadableRecordException("expected " + wanted + " at position " + (at + 1) + ", found " + found);
    }
}
