package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The files of {@code examples/agent} that start an agent: the command line takes the words that they give it. */
@Timeout(60)
class AgentFilesTest {
    private static final Pattern IN_THE_UNIT = Pattern.compile("(?m)^ExecStart=\\S+ (agent .*)$");
    private static final Pattern IN_THE_SIDECAR = Pattern.compile("(?m)^ +args: \\[\"(.*)\"]$");

    private final SystemTimeline timeline = new SystemTimeline();
    private final Office office = new Office(timeline);

    @AfterEach
    void endTheTimeline() {
        timeline.close();
    }

    @Test
    void theUnitOfSystemd() throws IOException {
        taken(List.of(found("incumbent-agent.service", IN_THE_UNIT).split(" ", -1)));
    }

    @Test
    void theSidecarOfKubernetes() throws IOException {
        taken(List.of(found("sidecar.yaml", IN_THE_SIDECAR)
                .replace("$(POD_NAME)", "closer-5d9c7")
                .split("\", \"", -1)));
    }

    @Test
    void aFlagThatIsMisspeltIsNotTaken() {
        assertThat(asked(List.of("agent", "--listens", "unix:/run/incumbent/agent.sock"))
                        .code())
                .isEqualTo(64);
    }

    private void taken(List<String> words) {
        CommandRun run = asked(words);

        assertThat(words).startsWith("agent").contains("--listen", "unix:/run/incumbent/agent.sock");
        assertThat(run.code()).as(run.err()).isEqualTo(78);
    }

    /** With a lease that no agent takes: so the words are read, which end in 64 where they are none, and no agent is started. */
    private CommandRun asked(List<String> words) {
        List<String> all = new ArrayList<>(words);
        all.addAll(List.of("--lease", "100ms"));
        return office.run(all.toArray(new String[0]));
    }

    private static String found(String file, Pattern line) throws IOException {
        Path path = Path.of("examples", "agent", file);
        Matcher matcher = line.matcher(
                Files.readString(Files.exists(path) ? path : Path.of("..", "..").resolve(path)));
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }
}
