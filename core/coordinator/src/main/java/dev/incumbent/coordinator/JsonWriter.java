package dev.incumbent.coordinator;

/** Writes JSON on one line, without blanks. */
final class JsonWriter {
    private final StringBuilder text = new StringBuilder();

    JsonWriter open(char bracket) {
        comma();
        text.append(bracket);
        return this;
    }

    JsonWriter close(char bracket) {
        text.append(bracket);
        return this;
    }

    JsonWriter name(String name) {
        comma();
        quoted(name);
        text.append(':');
        return this;
    }

    JsonWriter value(String value) {
        comma();
        quoted(value);
        return this;
    }

    JsonWriter field(String name, String value) {
        return name(name).value(value);
    }

    JsonWriter field(String name, long value) {
        name(name);
        text.append(value);
        return this;
    }

    /** A value that is JSON already. */
    void rawField(String name, String json) {
        name(name);
        text.append(json);
    }

    String done() {
        return text.toString();
    }

    private void comma() {
        if (!text.isEmpty() && "{[:".indexOf(text.charAt(text.length() - 1)) < 0) {
            text.append(',');
        }
    }

    private void quoted(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ' || (Character.isSurrogate(c) && !isPaired(value, i))) {
                text.append("\\u%04x".formatted((int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }

    /** Half a surrogate pair has no UTF-8 of its own: it is written as an escape. */
    private static boolean isPaired(String value, int i) {
        return Character.isHighSurrogate(value.charAt(i))
                ? i + 1 < value.length() && Character.isLowSurrogate(value.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(value.charAt(i - 1));
    }
}
