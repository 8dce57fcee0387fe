package dev.incumbent.protocol;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.Request;
import dev.incumbent.model.Term;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** How a record prints in a transcript: its name, then its parts; nanoseconds as milliseconds, absent parts left out. */
final class Line {
    private Line() {}

    static String of(Object value) {
        if (value instanceof Optional<?> o) {
            return o.map(Line::of).orElse("none");
        } else if (value instanceof Duration d) {
            return d.toMillis() + " ms";
        } else if (value instanceof LeaderRecord r) {
            return record(r);
        } else if (value instanceof ObservedRecord o) {
            return record(o.record())
                    + (o.record().leader().isEmpty() ? "" : o.leaseAlive() ? ", lease alive" : ", lease dead");
        } else if (value instanceof Enlisted e) {
            return e.candidate() + " under " + e.lease() + (e.sinks().isEmpty() ? "" : " with " + of(e.sinks()));
        } else if (value instanceof Term t) {
            return Long.toString(t.number());
        } else if (value instanceof PastTerm p) {
            return past(p);
        } else if (value instanceof Map<?, ?> m) {
            return of(m.keySet());
        } else if (value instanceof Collection<?> c) {
            return c.stream().map(Line::of).collect(Collectors.joining(", ", "[", "]"));
        } else if (isOurs(value)) {
            return parts((Record) value);
        }
        return value.toString();
    }

    static String millis(long nanos) {
        return nanos == Step.NEVER ? "never" : nanos == Long.MIN_VALUE ? "always" : Long.toString(nanos / 1_000_000);
    }

    private static boolean isOurs(Object value) {
        return value instanceof Event
                || value instanceof Effect
                || value instanceof Notice
                || value instanceof SessionEvent
                || value instanceof SessionEffect;
    }

    private static String parts(Record record) {
        StringJoiner parts = new StringJoiner(", ", ": ", "").setEmptyValue("");
        for (RecordComponent part : record.getClass().getRecordComponents()) {
            Object value = value(record, part);
            boolean absent = value.equals(Optional.empty()) || value instanceof Instant;
            if (part.getName().endsWith("AtNanos")) {
                parts.add(part.getName().replace("AtNanos", " at ") + millis((Long) value));
            } else if (part.getName().equals("nanos")) {
                parts.add(millis((Long) value) + " ms");
            } else if (isOurs(value)) {
                parts.add(of(value));
            } else if (!absent) {
                parts.add(part.getName() + " " + of(value));
            }
        }
        return record.getClass().getSimpleName() + parts;
    }

    private static Object value(Record record, RecordComponent part) {
        try {
            return part.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(record.getClass() + "." + part.getName() + " cannot be read", e);
        }
    }

    static String record(LeaderRecord r) {
        if (r.nonce().isEmpty()) {
            return "no record";
        }
        StringJoiner parts = new StringJoiner(", ", r.nonce() + " {", "}");
        parts.add("term " + r.term()
                + r.leader()
                        .map(Candidate::id)
                        .map(id -> " of " + id + " under " + r.lease().orElseThrow())
                        .orElse(" vacant"));
        r.request().ifPresent(request -> parts.add(request(request)));
        r.freeze().ifPresent(freeze -> parts.add(freeze(freeze)));
        if (!r.sinks().isEmpty()) {
            parts.add("sinks " + r.sinks().keySet());
        }
        if (!r.retiredSinks().isEmpty()) {
            parts.add("retired " + r.retiredSinks());
        }
        if (!r.history().isEmpty()) {
            parts.add("history " + r.history().stream().map(Line::past).toList());
        }
        return parts.toString();
    }

    private static String request(Request request) {
        return request instanceof Request.TransferTo to
                ? "transfer of term " + to.term() + " to " + to.successor() + " asked by " + to.id()
                : "resign of term " + request.term() + " asked by " + request.id();
    }

    private static String freeze(Freeze freeze) {
        return "frozen at " + freeze.number() + " by " + freeze.by();
    }

    private static String past(PastTerm past) {
        return past.number() + " " + past.leader() + " " + past.reason();
    }
}
