package dev.incumbent.coordinator.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a server answered: a text, a whole number, or a list of these. One that is of another kind than was asked for is a failure of ours. */
final class Reply {
    private final Object value;

    private Reply(Object value) {
        this.value = value;
    }

    static Reply of(Object value) {
        return new Reply(value);
    }

    String text() {
        if (value instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        return String.valueOf(value);
    }

    /** Is it Redis' nil? */
    boolean isNothing() {
        return value == null;
    }

    long number() {
        return value instanceof Long number ? number : Long.parseLong(text());
    }

    boolean isYes() {
        return number() == 1;
    }

    List<Reply> items() {
        if (value instanceof List<?> list) {
            return list.stream().map(Reply::new).toList();
        }
        throw new IllegalStateException("expected a list and was answered " + text());
    }

    Reply item(int index) {
        return items().get(index);
    }

    List<String> texts() {
        return items().stream().map(Reply::text).toList();
    }
}
