package dev.incumbent.stonith;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is told of a program's output. */
class OutputTailTest {
    @Test
    void theLastLineThatIsNotBlankWithoutSecrets() throws Exception {
        assertThat(told("first\nlogin root with calvin, snmp public\u0007\n\n"))
                .isEqualTo("login root with ***, snmp ***");
    }

    @Test
    void aLineWhoseBeginningIsCutOffIsNotTold() throws Exception {
        assertThat(told("calvin" + "x".repeat(8_190))).isEmpty();
        assertThat(told("calvin" + "x".repeat(8_190) + "\nthe end\n")).isEqualTo("the end");
    }

    @Test
    void aLongLineIsCut() throws Exception {
        assertThat(told("y".repeat(1_000))).isEqualTo("y".repeat(300) + "…");
    }

    private static String told(String output) throws Exception {
        OutputTail tail = new OutputTail(Map.of("password", "calvin", "community", "public", "username", "root"));
        tail.take(new ByteArrayInputStream(output.getBytes(StandardCharsets.UTF_8)));
        return tail.lastLine();
    }
}
