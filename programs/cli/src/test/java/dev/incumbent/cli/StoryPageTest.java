package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.time.VirtualTimeline;
import dev.incumbent.wire.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page that plays a run: what is in its file. {@code scripts/accept-lab} drives it in a browser. */
class StoryPageTest {
    private final Office office = new Office(new VirtualTimeline());

    @TempDir
    Path folder;

    @Test
    void aPageOfTheLabHasTheTableAndARunOfEachCell() throws Exception {
        Path file = folder.resolve("lab.html");

        CommandRun run = office.run(
                "lab",
                "--protocols",
                "bully,lease+fence",
                "--scenarios",
                "partition",
                "--members",
                "3",
                "--seeds",
                "1",
                "--html",
                file.toString());

        assertThat(run.code()).isZero();
        Json data = data(file);
        assertThat(data.at("cells").items()).hasSize(2);
        Json bully = data.at("stories").items().get(0);
        assertThat(bully.at("id").text()).isEqualTo("bully/partition");
        assertThat(bully.at("places").items()).hasSize(5);
        assertThat(bully.at("faults").items().get(0).at("what").text()).isEqualTo("partition");
        assertThat(bully.at("messages").items()).hasSizeGreaterThan(100);
    }

    @Test
    void theSamePlayerShowsAWorldOfTheShippedCode() throws Exception {
        Path file = folder.resolve("world.html");

        CommandRun plain = office.run("simulate", "replay", "42");
        CommandRun told = office.run("simulate", "replay", "42", "--html", file.toString());

        assertThat(told.out()).isEqualTo(plain.out());
        Json story = data(file).at("stories").items().get(0);
        assertThat(story.at("beliefs").items()).isNotEmpty();
        assertThat(story.at("marks").items()).isNotEmpty();
        assertThat(story.at("places").items()).anyMatch(place -> place.text().equals("store"));
    }

    @Test
    void aFileThatCannotBeWrittenIsNamed() {
        CommandRun run = office.run("simulate", "replay", "42", "--html", "/nowhere/world.html");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err()).contains("--html /nowhere/world.html: it cannot be written there");
    }

    @Test
    void aScenarioOfOnesOwnRuns() throws Exception {
        Path file = Files.writeString(
                folder.resolve("mine.txt"),
                "members 3\nlength 60s\nseeds 1\nprotocols raft\nat 5s pause leader for 20s\n");
        Path wrong = Files.writeString(folder.resolve("wrong.txt"), "at 5s pause boss for 20s\n");

        CommandRun run = office.run("lab", "run", file.toString());

        assertThat(run.code()).isZero();
        assertThat(run.out()).startsWith("mine: ").containsPattern("(?m)^raft +3 ");
        assertThat(office.run("lab", "run", wrong.toString()).err())
                .contains("wrong.txt: line 1: 'boss' is nobody; a fault strikes leader, ");
        assertThat(office.run("lab", "run", "/nowhere").code()).isEqualTo(64);
    }

    /** Nothing of the page is fetched: it has no address in it. */
    private static Json data(Path file) throws Exception {
        String page = Files.readString(file);
        assertThat(page.length()).isLessThan(2_000_000);
        assertThat(page).doesNotContain("src=", "url(", "fetch(", "@import", "/*DATA*/", "/*STYLE*/", "/*SCRIPT*/");
        return Json.read(
                page.replaceFirst("(?s).*<script type=\"application/json\" id=\"data\">(.*?)</script>.*", "$1"));
    }
}
