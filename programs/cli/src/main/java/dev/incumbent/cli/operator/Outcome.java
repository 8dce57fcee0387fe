package dev.incumbent.cli.operator;

import dev.incumbent.cli.frame.DurationText;
import dev.incumbent.cli.frame.JsonObject;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.model.Candidate;
import dev.incumbent.outcome.OpenSink;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a verb ended: the exit code, a result for people or for programs, and what is said besides.
 *
 * @param done a sentence for standard output; empty where nothing was done
 * @param said sentences for standard error, in either format
 */
record Outcome(int exitCode, JsonObject json, String done, List<String> said) {
    static Outcome done(JsonObject json, String sentence) {
        return new Outcome(0, json, sentence, List.of());
    }

    static Outcome not(int exitCode, JsonObject json, String why) {
        return new Outcome(exitCode, json, "", List.of(why));
    }

    int print(Surroundings around, boolean asJson) {
        if (asJson) {
            around.out().println(json);
        } else if (!done.isEmpty()) {
            around.out().println(done);
        }
        said.forEach(around::say);
        return exitCode;
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
