package dev.incumbent.wire;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A value of a store's JSON, read as protocol buffers mean it: what is absent is empty, zero or false, and a 64-bit number may stand as a string. Immutable.
 */
public final class Json {
    private static final Json ABSENT = new Json("");
    private static final int DEEPEST = 64;

    private final Object value;

    private Json(Object value) {
        this.value = value;
    }

    /** Reads one document; fails where the text is no JSON, or more than that. */
    public static Json read(String text) throws IOException {
        Reader reader = new Reader(text);
        Json read = reader.value(0);
        reader.end();
        return read;
    }

    /** A field of an object; absent if there is none. */
    public Json at(String name) {
        return value instanceof Map<?, ?> fields && fields.get(name) instanceof Json field ? field : ABSENT;
    }

    /** Is there such a field? */
    public boolean has(String name) {
        return value instanceof Map<?, ?> fields && fields.containsKey(name);
    }

    /** The members of a list. */
    public List<Json> items() {
        List<Json> items = new ArrayList<>();
        if (value instanceof List<?> list) {
            list.forEach(item -> items.add((Json) item));
        }
        return items;
    }

    public String text() {
        return value instanceof String text ? text : "";
    }

    public long number() {
        return text().isEmpty() ? 0 : Long.parseLong(text());
    }

    public boolean flag() {
        return text().equals("true");
    }

    /** The text whose bytes stand in Base64 here. */
    public String decoded() {
        return new String(Base64.getDecoder().decode(text()), StandardCharsets.UTF_8);
    }

    /** A text as a JSON string. */
    public static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append("\\u00").append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }

    /** A text's bytes as a JSON string in Base64. */
    public static String encoded(String text) {
        return encoded(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Bytes as a JSON string in Base64. */
    public static String encoded(byte[] bytes) {
        return '"' + Base64.getEncoder().encodeToString(bytes) + '"';
    }

    /** Reads one document. Scalars are kept as their text. */
    private static final class Reader {
        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        Json value(int depth) throws IOException {
            if (depth > DEEPEST) {
                throw unexpected();
            }
            return switch (peek()) {
                case '{' -> new Json(fields(depth));
                case '[' -> new Json(members(depth));
                case '"' -> new Json(string());
                default -> new Json(word());
            };
        }

        void end() throws IOException {
            skipBlanks();
            if (at < text.length()) {
                throw unexpected();
            }
        }

        private Map<String, Json> fields(int depth) throws IOException {
            Map<String, Json> fields = new LinkedHashMap<>();
            for (boolean more = opens('}'); more; more = goesOn('}')) {
                peek();
                String name = string();
                if (peek() != ':') {
                    throw unexpected();
                }
                at++;
                fields.put(name, value(depth + 1));
            }
            return fields;
        }

        private List<Json> members(int depth) throws IOException {
            List<Json> members = new ArrayList<>();
            for (boolean more = opens(']'); more; more = goesOn(']')) {
                members.add(value(depth + 1));
            }
            return members;
        }

        private boolean opens(char close) throws IOException {
            at++;
            if (peek() != close) {
                return true;
            }
            at++;
            return false;
        }

        private boolean goesOn(char close) throws IOException {
            char c = peek();
            if (c != close && c != ',') {
                throw unexpected();
            }
            at++;
            return c == ',';
        }

        private String string() throws IOException {
            if (peek() != '"') {
                throw unexpected();
            }
            int end = text.indexOf('"', ++at);
            if (end >= 0 && !text.substring(at, end).contains("\\")) {
                String plain = text.substring(at, end);
                at = end + 1;
                return plain;
            }
            return escapedString();
        }

        private String escapedString() throws IOException {
            StringBuilder read = new StringBuilder();
            while (at < text.length()) {
                char c = text.charAt(at++);
                if (c == '"') {
                    return read.toString();
                }
                read.append(c == '\\' ? escaped() : c);
            }
            throw unexpected();
        }

        private char escaped() throws IOException {
            char c = at < text.length() ? text.charAt(at++) : ' ';
            switch (c) {
                case 'n':
                    return '\n';
                case 't':
                    return '\t';
                case 'r':
                    return '\r';
                case 'b':
                    return '\b';
                case 'f':
                    return '\f';
                case 'u':
                    if (at + 4 > text.length()) {
                        throw unexpected();
                    }
                    at += 4;
                    return unit(text.substring(at - 4, at));
                default:
                    return c;
            }
        }

        private char unit(String hexadecimal) throws IOException {
            try {
                return (char) Integer.parseInt(hexadecimal, 16);
            } catch (NumberFormatException e) {
                throw unexpected();
            }
        }

        private String word() throws IOException {
            int start = at;
            while (at < text.length() && ",]} \n\r\t".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            String word = text.substring(start, at);
            if (!isNumber(word) && !word.equals("true") && !word.equals("false") && !word.equals("null")) {
                at = start;
                throw unexpected();
            }
            return word.equals("null") ? "" : word;
        }

        private static boolean isNumber(String word) {
            return !word.isEmpty() && word.chars().allMatch(c -> "0123456789+-.eE".indexOf(c) >= 0);
        }

        private char peek() throws IOException {
            skipBlanks();
            if (at >= text.length()) {
                throw unexpected();
            }
            return text.charAt(at);
        }

        private void skipBlanks() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
        }

        private IOException unexpected() {
            return new IOException("no JSON at character " + (at + 1));
        }
    }
}
