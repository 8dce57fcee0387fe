package dev.incumbent.adverse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.FreePorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A wire that refuses finds its port free at its healing, although other tests draw theirs meanwhile. */
class FreePortsTest {
    /** So many that two draws at random would share some. */
    private static final int MANY = 500;

    @Test
    void noPortIsDrawnTwice() {
        List<Integer> drawn = FreePorts.some(MANY);
        assertThat(drawn).doesNotHaveDuplicates().doesNotContainAnyElementsOf(FreePorts.some(MANY));
    }

    @Test
    void norByAnotherJvm() throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process other = new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), Drawer.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said = other.inputReader(StandardCharsets.UTF_8)) {
            Set<Integer> theirs = new HashSet<>();
            Arrays.stream(said.readLine().split(" ")).map(Integer::valueOf).forEach(theirs::add);
            assertThat(theirs).hasSize(MANY).doesNotContainAnyElementsOf(FreePorts.some(MANY));
        } finally {
            other.destroyForcibly();
        }
    }

    /** Another JVM, which keeps what it drew until it is told to end. */
    static final class Drawer {
        private Drawer() {}

        public static void main(String[] none) throws IOException {
            StringBuilder line = new StringBuilder();
            FreePorts.some(MANY).forEach(port -> line.append(port).append(' '));
            new PrintStream(System.out, true, StandardCharsets.UTF_8)
                    .println(line.toString().strip());
            System.in.read();
        }
    }
}
