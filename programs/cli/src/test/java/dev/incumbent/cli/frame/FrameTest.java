package dev.incumbent.cli.frame;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.CommandRun.World;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

class FrameTest {
    @Test
    void aFlagIsReadFromItsVariableUnlessTheCommandLineHasIt() {
        Map<String, String> variables = Map.of("INCUMBENT_TIMEOUT", "2m");

        assertThat(run(variables, "ask", "job").out()).isEqualTo("job PT2M 0\n");
        assertThat(run(variables, "ask", "job", "--timeout", "1.5s").out()).isEqualTo("job PT1.5S 0\n");
    }

    @Test
    void aTokenIsNeverReadFromTheVariableOfTheChild() {
        CommandRun run = run(Map.of("INCUMBENT_TOKEN", "7"), "ask", "job");

        assertThat(run.out()).isEqualTo("job PT0S 0\n");
    }

    @Test
    void aBadValueIsRefusedInOneSentenceThatNamesItsVariable() {
        CommandRun run = run(Map.of("INCUMBENT_TIMEOUT", "5 apples"), "ask", "job");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err())
                .isEqualTo(
                        "incumbent: invalid value for option '--timeout': '5 apples' is no duration; durations are written"
                                + " 500ms, 1.5s, 15s, 2m or 1h30m (from INCUMBENT_TIMEOUT); see 'incumbent ask --help'\n");
    }

    @Test
    void aNameThatIsNoneIsRefusedByItsOwnRule() {
        CommandRun run = run(Map.of(), "ask", "a//b");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err())
                .contains("election name 'a//b' has the segment '' between its slashes")
                .hasLineCount(1);
    }

    @Test
    void anUnknownVerbNamesTheNearest() {
        CommandRun run = run(Map.of(), "grop");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err()).startsWith("incumbent: no verb 'grop' (near: group");
    }

    @Test
    void noVerbAtAllPrintsTheUsageAsAnError() {
        CommandRun run = run(Map.of());

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("Usage: incumbent").contains("ask").contains("group");
    }

    @Test
    void aVerbWithinAGroupIsFound() {
        assertThat(run(Map.of(), "group", "ask", "job").out()).isEqualTo("job PT0S 0\n");
        assertThat(run(Map.of(), "group").code()).isEqualTo(64);
    }

    @Test
    void helpAndVersionAreResultsAndDoNothing() {
        assertThat(run(Map.of(), "ask", "--help").out()).startsWith("Usage: incumbent ask");
        assertThat(run(Map.of(), "ask", "--version").out()).isEqualTo("incumbent test\n");
        assertThat(run(Map.of(), "--version").code()).isZero();
    }

    @ParameterizedTest
    @Tag("field")
    @CsvSource({
        "refusal, 80, incumbent: as asked",
        "unusable, 78, incumbent: a corrupt file",
        "unreachable, 69, incumbent: no answer",
        "sink, 81, incumbent: sink gone",
        "memory, 70, 'incumbent: out of memory (Java heap space): ask for fewer elections at once, by a prefix'",
        "full, 70, 'incumbent: out of memory (Java heap space): ask for fewer elections at once, by a prefix'",
        "bug, 70, incumbent: internal error: java.lang.IllegalStateException: bug"
    })
    void eachKindOfFailureHasItsExitCodeAndItsSentence(String how, int code, String sentence) {
        CommandRun run = run(Map.of(), "fail", how);

        assertThat(run.code()).isEqualTo(code);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith(sentence + "\n");
    }

    @Test
    void whatFollowsTwoDashesIsTheCommandsWhateverItLooksLike() {
        assertThat(run(Map.of(), "exec", "job", "-n", "--", "cmd", "--name", "x", "--", "-n", "@y")
                        .out())
                .isEqualTo("job [cmd, --name, x, --, -n, @y] true null\n");
        assertThat(run(Map.of(), "exec", "job", "--name", "a", "--", "--help").out())
                .isEqualTo("job [--help] false a\n");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "exec job ./args.sh --name whoami | exec job -- ./args.sh --name whoami",
                "exec job ./args.sh -n            | exec job -- ./args.sh -n",
                "exec -n --name a job cmd         | exec -n --name a job -- cmd",
                "exec -nN a job cmd               | exec -nN a job -- cmd",
                "exec --name=a job cmd it's       | exec --name=a job -- cmd 'it'\\''s'",
                "exec --at x://u:pw@h job cmd     | exec --at 'x://***@h' job -- cmd",
                "--at x:y exec job cmd            | exec --at x:y job -- cmd"
            })
    void withoutThemNothingIsRunAndTheLineIsShownAsItShouldBe(String asked, String right) {
        CommandRun run = run(Map.of(), asked.split(" "));

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).isEqualTo("incumbent: -- is missing before the command: incumbent " + right + "\n");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "exec",
                "exec job",
                "exec -n",
                "exec job --",
                "exec --",
                "exec -- cmd",
                "exec job other -- cmd",
                "exec job -x -- cmd",
                "exec job --name -- cmd",
                "exec job cmd --help",
                "exec job --at a:b --at c:d -- cmd",
                "--at a:b exec job --at c:d -- cmd",
                "--at",
                "--at a:b",
                "--at=a:b",
                "--at a:b nosuch"
            })
    void whatIsMisspeltRunsNothing(String asked) {
        CommandRun run = run(Map.of(), asked.split(" "));

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("incumbent: ").hasLineCount(1);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "ask job --at a:b",
                "ask --at a:b job",
                "--at a:b ask job",
                "--at=a:b ask job",
                "--at a:b group ask job"
            })
    void theCoordinatorMayBeNamedBeforeOrAfterTheVerb(String asked) {
        assertThat(run(Map.of(), asked.split(" ")).out()).isEqualTo("job PT0S 0 at a:b\n");
    }

    @Test
    void theCommandStaysLastWhereTheCoordinatorIsNamedFirst() {
        assertThat(run(Map.of(), "--at", "a:b", "exec", "job", "--", "cmd", "--at", "c:d")
                        .out())
                .isEqualTo("job [cmd, --at, c:d] false null at a:b\n");
    }

    @Test
    void theUsageOfAVerbThatRunsACommandShowsTheDashes() {
        assertThat(run(Map.of(), "exec", "--help").out()).startsWith("Usage: incumbent exec ELECTION -- CMD");
        assertThat(run(Map.of(), "exec", "job", "--help").code()).isZero();
    }

    private static CommandRun run(Map<String, String> variables, String... args) {
        return CommandRun.of(new Root(), new Table(), variables, World.empty(), args);
    }

    @Command(name = "incumbent", version = "incumbent test")
    private static final class Root {}

    @Command(name = "group")
    private static final class Group {}

    private static final class Table implements VerbTable {
        @Override
        public List<String> names() {
            return List.of("ask", "exec", "fail", "group", "group ask");
        }

        @Override
        public Object make(String name) {
            return switch (name) {
                case "exec" -> new Exec();
                case "fail" -> new Fail();
                case "group" -> new Group();
                default -> new Ask();
            };
        }
    }

    @Command(name = "ask")
    private static final class Ask implements Verb {
        @Parameters
        private ElectionName election;

        @Option(names = "--timeout")
        private Duration timeout = Duration.ZERO;

        @Option(names = "--token")
        private long token;

        @Mixin
        private Output output = new Output();

        @Mixin
        private At at = new At();

        @Override
        public int run(Surroundings around) {
            String where = at.asked().map(uri -> " at " + uri).orElse("");
            around.out().println(election + " " + timeout + " " + token + (output.isJson() ? " json" : "") + where);
            return ExitCodes.DONE;
        }
    }

    @Command(name = "exec", customSynopsis = "incumbent exec ELECTION -- CMD")
    private static final class Exec implements CommandVerb {
        private List<String> command = List.of();

        @Parameters
        private ElectionName election;

        @Option(names = {"-n", "--nonblock"})
        private boolean nonblock;

        @Option(names = {"-N", "--name"})
        private String name;

        @Mixin
        private At at = new At();

        @Override
        public void command(List<String> words) {
            command = words;
        }

        @Override
        public int run(Surroundings around) {
            String where = at.asked().map(uri -> " at " + uri).orElse("");
            around.out().println(election + " " + command + " " + nonblock + " " + name + where);
            return ExitCodes.DONE;
        }
    }

    @Command(name = "fail")
    private static final class Fail implements Verb {
        @Parameters
        private String how = "";

        @Override
        public int run(Surroundings around) {
            throw switch (how) {
                case "refusal" -> new Refusal(ExitCodes.TAKEN_BACK, "as asked");
                case "unusable" -> new CoordinatorUnusableException("a corrupt file");
                case "unreachable" -> new CoordinatorException("no answer", true);
                case "sink" -> new SinkException("sink gone");
                case "full" -> {
                    CoordinatorException failed = new CoordinatorException("it failed", false);
                    failed.addSuppressed(new OutOfMemoryError("Java heap space"));
                    yield failed;
                }
                case "memory" -> throw new OutOfMemoryError("Java heap space");
                default -> new IllegalStateException("bug");
            };
        }
    }
}
