package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.time.VirtualTimeline;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a real bash offers, with a command that lists three elections. */
class CompletionTest {
    private static final String STATUS = "printf 'ELECTION TOKEN\\nbilling/closer 7\\nbilling/opener -\\nnightly 1\\n'";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "'incumbent status ', billing/closer billing/opener nightly",
        "'incumbent status bil', billing/closer billing/opener",
        "'incumbent fence raise n', nightly",
        "'incumbent --at etcd://h1:2379/x transfer billing/c', billing/closer",
        "'incumbent history --at=file:x.db ', billing/closer billing/opener nightly",
        "'incumbent transfer nightly ', ''",
        "'incumbent server ', snapshot restore members change",
        "'incumbent server members ', ''",
        "'incumbent server snapshot ', save check",
        "'incumbent server snapshot save --for', --force"
    })
    void electionsAreOfferedWhereAVerbTakesOne(String line, String offered) throws Exception {
        assertThat(offeredFor(line)).isEqualTo(offered);
    }

    @Test
    void verbsAndFlagsAreOfferedAsBefore() throws Exception {
        assertThat(offeredFor("incumbent stat")).isEqualTo("status");
        assertThat(offeredFor("incumbent status --a")).isEqualTo("--at");
        assertThat(offeredFor("incumbent agent --prefi")).isEqualTo("--prefix");
    }

    @ParameterizedTest
    @CsvSource({
        "incumbent status --at file:/some/x.db n, status --at file:/some/x.db",
        "incumbent --at file:/some/x.db status n, status --at file:/some/x.db",
        "incumbent status --at=file:/some/x.db n, status --at=file:/some/x.db",
        "incumbent status n, status"
    })
    void whoIsAskedIsTheCoordinatorThatTheLineNames(String line, String asked) throws Exception {
        offeredFor(line);

        assertThat(folder.resolve("asked")).hasContent(asked);
    }

    private String offeredFor(String line) throws Exception {
        Path script = Files.writeString(
                folder.resolve("completion"),
                new Office(new VirtualTimeline()).run("completion").out());
        String play = """
                incumbent() { echo "$*" > %s/asked; %s; }
                source %s
                COMP_LINE='%s' COMP_POINT=%d
                IFS=' ' read -ra COMP_WORDS <<< "$COMP_LINE"
                [[ $COMP_LINE != *' ' ]] || COMP_WORDS+=('')
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _incumbent_elections incumbent "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
                echo "${COMPREPLY[*]}"
                """.formatted(folder, STATUS, script, line, line.length());
        Process bash = new ProcessBuilder("bash", "-c", play)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }
}
