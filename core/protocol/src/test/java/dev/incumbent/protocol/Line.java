package dev.incumbent.protocol;

import dev.incumbent.model.Enlisted;
import dev.incumbent.model.Extras;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.Holder;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.PlannedTransfer;
import dev.incumbent.model.Request;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Term;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
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
            return e.candidate() + extras(e.candidate().extras()) + " under " + e.lease()
                    + (e.sinks().isEmpty() ? "" : " with " + of(e.sinks()))
                    + (e.supports().isEmpty() ? "" : " supporting " + of(e.supports()));
        } else if (value instanceof Term t) {
            return Long.toString(t.number());
        } else if (value instanceof PastTerm p) {
            return past(p);
        } else if (value instanceof Holder h) {
            return holder(h);
        } else if (value instanceof HolderProof p) {
            return proof(p);
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
            if (part.getName().equals("untilNanos")) {
                parts.add("until " + millis((Long) value));
            } else if (part.getName().endsWith("AtNanos")) {
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
                        .map(leader -> " of " + leader + extras(leader.extras()) + " under "
                                + r.lease().orElseThrow() + length(r))
                        .orElse(" vacant"));
        r.request().ifPresent(request -> parts.add(request(request)));
        r.planned().ifPresent(plan -> parts.add(planned(plan)));
        r.moved()
                .ifPresent(one -> parts.add("moved" + (one.lasted() ? ", which lasted," : "") + " by " + one.inputs()
                        + later(one.unknown())));
        r.freeze().ifPresent(freeze -> parts.add(freeze(freeze)));
        r.cordons()
                .all()
                .forEach(one -> parts.add("cordoned " + one.whom() + " by " + one.by() + later(one.unknown())));
        if (!r.sinks().isEmpty()) {
            parts.add("sinks " + sinks(r.sinks()));
        }
        if (!r.retiredSinks().isEmpty()) {
            parts.add("retired " + r.retiredSinks());
        }
        if (!r.requires().isEmpty()) {
            parts.add("requires " + r.requires());
        }
        if (!r.holders().isEmpty()) {
            parts.add("holders " + r.holders().all().stream().map(Line::holder).toList());
        }
        if (!r.history().isEmpty()) {
            parts.add("history " + r.history().stream().map(Line::past).toList());
        }
        return parts + later(r.unknown());
    }

    /** Each by its id, and its label where that is another. */
    private static List<String> sinks(Map<SinkId, String> sinks) {
        return sinks.entrySet().stream()
                .map(e -> e.getKey().value().equals(e.getValue()) ? e.getValue() : e.getKey() + " as " + e.getValue())
                .toList();
    }

    private static String request(Request request) {
        String asked = request instanceof Request.TransferTo to
                ? "transfer of term " + to.term() + " to " + to.successor() + " asked by " + to.id()
                : "resign of term " + request.term() + " asked by " + request.id();
        return asked + extras(request.extras());
    }

    private static String planned(PlannedTransfer plan) {
        return "transfer to " + plan.to() + " planned by " + plan.by() + " at "
                + plan.notBefore().toEpochMilli() + later(plan.unknown());
    }

    /** How long its lease is, where that is not what every play asks for. */
    private static String length(LeaderRecord r) {
        return r.leaseLength().equals(Actor.TIMING.lease()) ? "" : " for " + of(r.leaseLength());
    }

    private static String extras(Extras extras) {
        return (extras.attributes().isEmpty() ? "" : " " + extras.attributes()) + later(extras.unknown());
    }

    /** What a later version added. */
    private static String later(Map<String, String> unknown) {
        return unknown.isEmpty() ? "" : " + " + unknown;
    }

    private static String freeze(Freeze freeze) {
        return "frozen at " + freeze.number() + " by " + freeze.by() + later(freeze.unknown());
    }

    private static String past(PastTerm past) {
        return past.number() + " " + past.leader() + extras(past.leader().extras()) + " " + past.reason()
                + past.stonith().map(proof -> ", " + proof(proof)).orElse("") + later(past.unknown());
    }

    private static String holder(Holder holder) {
        return holder.term() + " " + holder.candidate() + " on " + holder.on().node() + " boot "
                + holder.on().bootId() + later(holder.unknown());
    }

    private static String proof(HolderProof proof) {
        return proof.kind() + " by " + proof.by() + later(proof.unknown());
    }
}
