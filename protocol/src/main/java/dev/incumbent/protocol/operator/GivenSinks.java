package dev.incumbent.protocol.operator;

import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.SinkId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The sinks that an operation was given, in the order they were given. */
record GivenSinks(List<GivenSink> all) {
    GivenSinks {
        all = List.copyOf(all);
    }

    static GivenSinks labelled(List<String> labels) {
        return new GivenSinks(
                labels.stream().<GivenSink>map(GivenSink.Untouched::new).toList());
    }

    GivenSink get(int sink) {
        return all.get(sink);
    }

    int size() {
        return all.size();
    }

    GivenSinks with(int sink, GivenSink now) {
        List<GivenSink> next = new ArrayList<>(all);
        next.set(sink, now);
        return new GivenSinks(next);
    }

    boolean areAll(Predicate<GivenSink> so) {
        return all.stream().allMatch(so);
    }

    /** The sinks that have not told, or did not let themselves be raised. */
    List<OpenSink> open() {
        List<OpenSink> open = new ArrayList<>();
        for (GivenSink sink : all) {
            whyOpen(sink).ifPresent(why -> open.add(new OpenSink(sink.label(), why)));
        }
        return open;
    }

    /** What the record names and nobody gave. */
    List<OpenSink> notGiven(LeaderRecord record) {
        Set<SinkId> given = new TreeSet<>();
        all.forEach(sink -> sink.id().ifPresent(given::add));
        return record.sinks().entrySet().stream()
                .filter(recorded -> !given.contains(recorded.getKey()))
                .map(recorded ->
                        new OpenSink(recorded.getValue(), "recorded as " + recorded.getKey() + ", and not given"))
                .toList();
    }

    private static Optional<String> whyOpen(GivenSink sink) {
        if (sink instanceof GivenSink.Raised || sink instanceof GivenSink.Read) {
            return Optional.empty();
        }
        if (sink instanceof GivenSink.Silent silent) {
            return Optional.of(silent.why());
        }
        if (sink instanceof GivenSink.Unsure unsure) {
            return Optional.of(unsure.why());
        }
        if (sink instanceof GivenSink.Barred barred) {
            return Optional.of(barred.why());
        }
        return Optional.of("not answered yet");
    }
}
