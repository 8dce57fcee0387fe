package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RawCommandTest {
    @TempDir
    private Path folder;

    @Test
    void argumentsMayBeEmptyAndHoldAnyByteButZero() {
        List<byte[]> arguments = RawCommand.split(new byte[] {'a', 0, 0, (byte) 0xff, ' ', 0});

        assertThat(arguments).containsExactly(new byte[] {'a'}, new byte[] {}, new byte[] {(byte) 0xff, ' '});
    }

    @Test
    void aCommandHasAName() {
        assertThatThrownBy(() -> RawCommand.of()).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void argumentsOutsideTheLocaleReachTheCommandByteByByte() throws Exception {
        Path out = folder.resolve("out");
        List<String> line = new ArrayList<>(WrapperProcess.line(List.of()));
        String printf = "exec \"$@\" printf '%s,' \"$(printf '\\377\\303\\274')\" '' 'a b' > " + out;
        List<String> shell = new ArrayList<>(List.of("sh", "-c", printf, "sh"));
        shell.addAll(line);
        ProcessBuilder builder = new ProcessBuilder(shell).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");

        Process wrapper = builder.start();
        String said = new String(wrapper.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(wrapper.waitFor()).as(said).isZero();
        assertThat(Files.readAllBytes(out)).isEqualTo("ÿÃ¼,,a b,".getBytes(StandardCharsets.ISO_8859_1));
    }
}
