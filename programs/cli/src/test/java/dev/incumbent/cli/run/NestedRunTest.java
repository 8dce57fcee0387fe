package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run whose command is a run over another coordinator: a site's leader is a candidate at the centre. */
final class NestedRunTest {
    @TempDir
    private Path folder;

    @Test
    void theJobStopsThenTheCentreIsVacatedThenTheSite() {
        Path steps = folder.resolve("steps");
        String job = "echo $INCUMBENT_ELECTION $INCUMBENT_TOKEN >>" + steps + "; trap 'echo stopped >>" + steps
                + "; exit 0' TERM; while :; do sleep 0.1; done";
        List<String> words = new ArrayList<>(List.of("site/billing", "-v", "--repeat", "--"));
        words.addAll(RunProcess.line(
                folder, "billing", "-v", "--at", "file:" + folder.resolve("centre.db"), "--", "sh", "-c", job));

        try (RunProcess site = RunProcess.start(folder, words.toArray(String[]::new))) {
            RunProcess.awaitLines(steps, 1);
            site.signal("TERM");
            site.exitCode();

            assertThat(RunProcess.read(steps)).isEqualTo("billing 1\nstopped\n");
            assertThat(site.err())
                    .containsSubsequence(
                            "incumbent: site/billing: leads term 1",
                            "incumbent: billing: leads term 1",
                            "incumbent: billing: term 1 is over: RESIGNED",
                            "incumbent: site/billing: term 1 is over: RESIGNED");
        }
    }
}
