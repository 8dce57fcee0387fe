package dev.incumbent.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.Feature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Texts of records and candidates beside what commit 0e27c34 makes of each: {@code name, kind, text, answer}, parted by tabs. {@code scripts/accept-mixed} holds that
 * commit to its answers; this holds the present version to the texts.
 */
class MixedBuildsTest {
    private static final Path TEXTS = Path.of("src/test/resources/mixed/texts.tsv");

    /** One line. */
    private record Line(String name, String kind, String text, String answer) {
        String writtenAgain() throws UnreadableRecordException {
            return kind.equals("record")
                    ? RecordJson.write(RecordJson.read(text))
                    : RecordJson.write(RecordJson.readEnlisted(text));
        }
    }

    @Test
    void thisVersionReadsEachTextAndWritesItAgainToTheLetter() throws Exception {
        for (Line line : lines()) {
            assertThat(line.writtenAgain()).as(line.name()).isEqualTo(line.text());
        }
    }

    @Test
    void theCommitBeforeKeepsWhatIsOfItsTimeAndLeavesAloneWhatIsNot() throws Exception {
        Map<String, String> answers = new LinkedHashMap<>();
        lines().forEach(line -> answers.put(line.name(), line.answer()));

        assertThat(answers.entrySet().stream()
                        .filter(e -> e.getValue().equals("kept"))
                        .map(Map.Entry::getKey))
                .containsExactly(
                        "led",
                        "vacant",
                        "transfer asked",
                        "resignation asked",
                        "frozen",
                        "field added to the document",
                        "candidate");
        assertThat(answers)
                .hasSize(17)
                .containsEntry("features required", "unreadable record: it is of format 2, this version reads format 1")
                .containsEntry(
                        "leader with attributes",
                        "unreadable record: a candidate has fields that this version does not know: [attributes]");
        assertThat(answers.get("candidate that supports features")).startsWith("written again as {\"v\":1,");
    }

    @Test
    void whatTheNamesSayIsInTheTexts() throws Exception {
        for (Line line : lines()) {
            if (line.name().equals("features required")) {
                assertThat(RecordJson.read(line.text()).requires())
                        .containsExactly(new Feature("quiet-hours"), new Feature("seal"));
            } else if (line.name().equals("leader with attributes")) {
                assertThat(RecordJson.read(line.text())
                                .leader()
                                .orElseThrow()
                                .extras()
                                .attributes())
                        .containsExactly(Map.entry("rack", "7"), Map.entry("zone", "eu 1"));
            } else if (line.name().equals("candidate that supports features")) {
                assertThat(RecordJson.readEnlisted(line.text()).supports()).containsExactly(new Feature("seal"));
            }
        }
    }

    private static List<Line> lines() throws IOException {
        return Files.readAllLines(TEXTS).stream()
                .map(line -> line.split("\t", -1))
                .map(fields -> new Line(fields[0], fields[1], fields[2], fields[3]))
                .toList();
    }
}
