package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.cli.frame.CommandRun.World;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.cli.frame.VerbTable;
import dev.incumbent.time.VirtualTimeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A line that is read without the parser does what the parser makes of it. */
class PlainLineTest {
    private static final List<String> WORDS = List.of(
            "status",
            "--at",
            "--at=memory:a",
            "--at=",
            "memory:a",
            "other:b",
            "-o",
            "-ojson",
            "-o=json",
            "--output",
            "--output=text",
            "json",
            "text",
            "xml",
            "a/b",
            "a/",
            "a//",
            "",
            "-",
            "--",
            "-h",
            "--help",
            "--version",
            "-x",
            "--out",
            "a b",
            "\"a/b\"",
            "'a/b'",
            "${HOME}",
            "@words",
            "help");

    private final VirtualTimeline timeline = new VirtualTimeline();
    private final Office office = new Office(timeline);
    private final List<List<String>> plain = new ArrayList<>();

    PlainLineTest() {
        office.stand("a/b", "anna");
        office.lead("a/b", "anna");
        office.stand("c", "anna");
    }

    static Stream<Map<String, String>> variables() {
        return Stream.of(
                Map.of("INCUMBENT_AT", "memory:a"),
                Map.of("INCUMBENT_AT", "memory:a", "INCUMBENT_OUTPUT", "json"),
                Map.of("INCUMBENT_AT", "memory:a", "INCUMBENT_OUTPUT", "xml"),
                Map.of("INCUMBENT_AT", "\"memory:a\""),
                Map.of("INCUMBENT_AT", "memory:${HOME}"));
    }

    @ParameterizedTest
    @MethodSource("variables")
    void everyShortLineDoesWhatTheParserMakesOfIt(Map<String, String> variables) {
        for (String first : WORDS) {
            compare(variables, "status", first);
            for (String second : WORDS) {
                compare(variables, "status", first, second);
                compare(variables, "--at", first, second);
            }
        }

        assertThat(plain).isNotEmpty();
    }

    @Test
    void longLinesDoWhatTheParserMakesOfThem() {
        Random random = new Random(26);
        for (int i = 0; i < 4_000; i++) {
            List<String> line =
                    new ArrayList<>(random.nextBoolean() ? List.of("status") : List.of("--at", "memory:a", "status"));
            int words = 3 + random.nextInt(4);
            for (int word = 0; word < words; word++) {
                line.add(WORDS.get(random.nextInt(random.nextBoolean() ? 16 : WORDS.size())));
            }
            compare(Map.of("INCUMBENT_AT", "memory:a"), line.toArray(String[]::new));
        }

        assertThat(plain).hasSizeGreaterThan(20);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "status",
                "status a/b",
                "status --at memory:a",
                "--at memory:a status a/ -o json",
                "status --output=json --at=memory:a a/"
            })
    void usualLinesNeedNoParser(String line) {
        compare(Map.of("INCUMBENT_AT", "memory:a"), line.split(" ", -1));

        assertThat(plain).hasSize(1);
    }

    private void compare(Map<String, String> variables, String... line) {
        World world = World.of(timeline, "memory", () -> office.open());
        Watched watched = new Watched();
        CommandRun byItself = CommandRun.of(new Incumbent(), watched, variables, world, line);
        if (watched.isPlain) {
            plain.add(List.of(line));
            assertThat(byItself)
                    .as("with %s: %s", variables, List.of(line))
                    .isEqualTo(CommandRun.of(new Incumbent(), new Parsed(), variables, world, line));
        }
    }

    /** The verbs of the program; notes whether the line was plain. */
    private static class Watched implements VerbTable {
        private final Verbs verbs = new Verbs();
        private boolean isPlain;

        @Override
        public List<String> names() {
            return List.of("status");
        }

        @Override
        public Object make(String name) {
            return verbs.make(name);
        }

        @Override
        public Optional<Verb> plain(Surroundings around, String... args) {
            Optional<Verb> read = verbs.plain(around, args);
            isPlain = read.isPresent();
            return read;
        }
    }

    /** The same verbs, by the parser alone. */
    private static final class Parsed extends Watched {
        @Override
        public Optional<Verb> plain(Surroundings around, String... args) {
            return Optional.empty();
        }
    }
}
