package dev.incumbent.telling;

import dev.incumbent.model.Candidate;
import dev.incumbent.outcome.OpenSink;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How an operator's request ended, for people and for programs.
 *
 * @param done a sentence of what was done; empty where nothing was
 * @param said sentences of what is not so
 */
public record Outcome(Kind kind, JsonObject json, String done, List<String> said) {
    public Outcome {
        said = List.copyOf(said);
    }

    /** What it comes to. */
    public enum Kind {
        DONE,
        /** Something else came of it than was asked for. */
        NOT_SO,
        /** It cannot be; nothing was done. */
        REFUSED,
        /** Not in time: it was taken back, and the same term goes on. */
        LATE,
        /** Several candidates bear the name. */
        AMBIGUOUS,
        /** A sink could not be raised or read. */
        SINKS_OPEN
    }

    public static Outcome done(JsonObject json, String sentence) {
        return new Outcome(Kind.DONE, json, sentence, List.of());
    }

    public static Outcome not(Kind kind, JsonObject json, String why) {
        return new Outcome(kind, json, "", List.of(why));
    }

    static JsonObject json(Candidate candidate) {
        return new JsonObject()
                .put("id", candidate.id().value())
                .put("name", candidate.name())
                .put("address", candidate.address());
    }

    static List<JsonObject> json(List<OpenSink> sinks) {
        return sinks.stream()
                .map(open -> new JsonObject().put("sink", open.sink()).put("why", open.why()))
                .toList();
    }

    /** A field that is null where there is nothing. */
    static JsonObject with(JsonObject json, String key, Optional<Duration> duration) {
        return duration.map(length -> json.put(key, length.toMillis())).orElseGet(() -> json.putNull(key));
    }

    static String gap(Optional<Duration> gap) {
        return gap.map(length -> "after a gap of " + DurationText.format(length))
                .orElse("after a gap too short to be seen from here");
    }

    /** One sentence for each sink that is left open. */
    static List<String> sentences(List<OpenSink> sinks) {
        return sinks.stream()
                .map(open -> "sink " + open.sink() + " is open: " + open.why())
                .toList();
    }
}
