package dev.incumbent.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fuzz.MalformedRequest.End;
import dev.incumbent.fuzz.MalformedRequest.Piece;
import dev.incumbent.fuzz.Outcome.How;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is wrong with an answer is found, and what is right is not. */
final class FindingsTest {
    private static final MalformedRequest REQUEST =
            new MalformedRequest(1, 7, Sort.NOISE, List.of(new Piece("x", 0)), End.READS);

    private final Findings findings = new Findings(List.of("core"), Map.of("it is refused", Outcome::isRefused));

    private List<String> wrong(String answer, How how) {
        findings.take(new Outcome(REQUEST, answer, how));
        return findings.wrong();
    }

    @Test
    void refusalsAndClosedConnectionsAreRight() {
        assertThat(wrong("HTTP/1.1 400 Bad Request\r\n\r\nthis is no HTTP\n", How.CLOSED))
                .isEmpty();
        assertThat(wrong("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 413 Too Large\r\n\r\n", How.RESET))
                .isEmpty();
        assertThat(wrong("", How.CLOSED)).isEmpty();
        assertThat(findings.counts()).isEqualTo(Map.of("400", 1L, "413", 1L, "CLOSED", 1L));
    }

    @Test
    void aSecretInAnAnswerIsFound() {
        assertThat(wrong("HTTP/1.1 401 No\r\n\r\nBearer the-core-x is unknown", How.CLOSED))
                .singleElement()
                .asString()
                .startsWith("a secret was answered: request 7 of seed 1, NOISE, ");
    }

    @Test
    void aStackInAnAnswerIsFound() {
        assertThat(wrong("HTTP/1.1 400 No\r\n\r\njava.lang.X: y\n\tat a.b.C.d(C.java:12)\n", How.CLOSED))
                .hasSize(1)
                .allMatch(what -> what.startsWith("a stack was answered"));
    }

    @Test
    void whatBreaksARuleIsFound() {
        assertThat(wrong("HTTP/1.1 500 Oh\r\n\r\n", How.CLOSED))
                .hasSize(1)
                .allMatch(what -> what.startsWith("it is not so that it is refused, but [500]"));
    }

    @Test
    void aServerThatIsGoneOrHangsIsFound() {
        assertThat(wrong("", How.NOT_TAKEN)).hasSize(1);
        assertThat(wrong("", How.HANGS)).hasSize(2);
    }

    @Test
    void aFewOfEachKindAreKept() {
        for (int i = 0; i < 50; i++) {
            findings.note("one kind: " + i);
        }
        findings.note("another kind: 1");

        assertThat(findings.wrong()).containsExactly("one kind: 0", "one kind: 1", "one kind: 2", "another kind: 1");
    }

    @Test
    void aSecretInALogIsFound() {
        findings.heard("all is well");
        findings.heard("the-core-y");

        assertThat(findings.wrong()).containsExactly("a secret was logged: the-core-y");
    }
}
