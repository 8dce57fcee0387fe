package dev.incumbent.protocol.operator;

import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import dev.incumbent.outcome.OpenSink;
import java.util.ArrayList;
import java.util.List;
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

    /** The sinks that have not told their marks, and why. */
    List<OpenSink> unread() {
        return all.stream()
                .filter(sink -> !(sink instanceof GivenSink.Read))
                .map(GivenSinks::open)
                .toList();
    }

    /** The sinks that are not raised, and why. */
    List<OpenSink> unraised() {
        return all.stream()
                .filter(sink -> !(sink instanceof GivenSink.Raised))
                .map(GivenSinks::open)
                .toList();
    }

    /** What the record names and nobody gave; one that was given and has not told its id is known by its label. */
    List<OpenSink> notGiven(LeaderRecord record) {
        Set<SinkId> given = new TreeSet<>();
        Set<String> silent = new TreeSet<>();
        all.forEach(sink -> sink.id().ifPresentOrElse(given::add, () -> silent.add(sink.label())));
        return record.sinks().entrySet().stream()
                .filter(recorded -> !given.contains(recorded.getKey()) && !silent.contains(recorded.getValue()))
                .map(recorded ->
                        new OpenSink(recorded.getValue(), "recorded as " + recorded.getKey() + ", and not given"))
                .toList();
    }

    private static OpenSink open(GivenSink sink) {
        return new OpenSink(sink.label(), whyOpen(sink));
    }

    /** No operation ends while a sink is asked: one that is open was not reached, or bears a mark that no raise of this operation passes. */
    private static String whyOpen(GivenSink sink) {
        if (sink instanceof GivenSink.Silent silent) {
            return silent.why();
        }
        if (sink instanceof GivenSink.Unsure unsure) {
            return unsure.why();
        }
        if (sink instanceof GivenSink.Barred barred) {
            return barred.why();
        }
        GivenSink.Read barring = (GivenSink.Read) sink;
        return "its mark is " + barring.mark().map(Mark::toString).orElse("none");
    }
}
