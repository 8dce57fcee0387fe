package dev.incumbent.peers;

import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Optional;
import java.util.StringJoiner;

/** How a message or an effect prints: its name, then its parts; nanoseconds as milliseconds. */
final class PeerLine {
    private static final long MILLI = 1_000_000;

    private PeerLine() {}

    static String of(Object value) {
        if (value instanceof MemberId || value instanceof String) {
            return value.toString();
        } else if (value instanceof Optional<?> optional) {
            return optional.map(PeerLine::of).orElse("nobody");
        } else if (value instanceof Collection<?> all) {
            return all.stream().map(PeerLine::of).toList().toString();
        } else if (value instanceof Record parts) {
            return record(parts);
        }
        return value.toString();
    }

    static String millis(long nanos) {
        return nanos == Long.MAX_VALUE ? "never" : Long.toString(nanos / MILLI);
    }

    private static String record(Record value) {
        StringJoiner parts = new StringJoiner(", ", " (", ")").setEmptyValue("");
        for (RecordComponent part : value.getClass().getRecordComponents()) {
            String name = part.getName();
            Object told = value(value, part);
            parts.add(
                    name.endsWith("Nanos")
                            ? name.replaceAll("(At)?Nanos", "") + " " + millis((Long) told)
                            : told instanceof Record && !(told instanceof MemberId) ? of(told) : name + " " + of(told));
        }
        return value.getClass().getSimpleName() + parts;
    }

    private static Object value(Record record, RecordComponent part) {
        try {
            return part.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(record.getClass() + "." + part.getName() + " cannot be read", e);
        }
    }
}
