package dev.incumbent.cli.operator;

import dev.incumbent.model.SinkId;
import dev.incumbent.telling.DurationText;
import dev.incumbent.telling.JsonObject;
import dev.incumbent.telling.conflict.Conflict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What came of the comparison of one sink.
 *
 * @param url as it was given, without credentials
 * @param mark for people
 * @param conflicts of the sink's mark and the record
 * @param sentence how the command ended, where it did not end with 0 or 1
 * @param output the file with what the command wrote
 */
record SinkComparison(
        String url,
        SinkId id,
        String mark,
        List<Conflict> conflicts,
        Verdict verdict,
        String sentence,
        Duration took,
        Path output) {
    SinkComparison {
        conflicts = List.copyOf(conflicts);
    }

    /** What the command says by its exit code. */
    enum Verdict {
        SAME("the same"),
        DIFFERS("differs"),
        FAILED("not compared");

        final String words;

        Verdict(String words) {
            this.words = words;
        }

        static Verdict of(int code) {
            return switch (code) {
                case 0 -> SAME;
                case 1 -> DIFFERS;
                default -> FAILED;
            };
        }
    }

    /** It is well: the command found no difference, and the mark is the freeze's. */
    boolean isSound() {
        return verdict == Verdict.SAME && conflicts.isEmpty();
    }

    String line() {
        String why = sentence.isEmpty() ? "" : ": " + sentence;
        return url + ": " + verdict.words + why + ", after " + DurationText.format(took)
                + "; what the command wrote is in " + output;
    }

    JsonObject json() {
        return new JsonObject()
                .put("sink", url)
                .put("id", id.value())
                .put("mark", mark)
                .put("conflicts", conflicts.stream().map(Conflict::json).toList())
                .put("verdict", verdict.words)
                .put("why", sentence)
                .put("ms", took.toMillis())
                .put("output", output.toString());
    }
}
