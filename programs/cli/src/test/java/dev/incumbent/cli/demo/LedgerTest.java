package dev.incumbent.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the verdict counts, and what it does not. */
class LedgerTest {
    @TempDir
    Path folder;

    private Ledger ledger;

    @BeforeEach
    void open() throws Exception {
        ledger = Ledger.open("sqlite:" + folder.resolve("ledger.db"), new ElectionName("demo/one"), false);
        ledger.install();
    }

    @AfterEach
    void close() throws Exception {
        ledger.close();
    }

    @Test
    void aLineAfterOneOfALaterTermIsOutOfOrder() throws Exception {
        write("a/1", 1);
        write("b/1", 2);
        write("a/2", 1);
        write("b/2", 2);

        Verdict verdict = ledger.verdict(List.of());

        assertThat(verdict).isEqualTo(new Verdict(4, 0, 1, 2));
        assertThat(verdict.word()).isEqualTo("corrupted");
    }

    @Test
    void aRefusalCountsOnlyIfTheLedgerKnowsTheAttemptAsLateAndHoldsNoLineOfIt() throws Exception {
        write("a/1", 1);
        attempt("a/2", 1);
        write("b/1", 2);
        attempt("a/3", 1);
        attempt("a/4", 1);

        Verdict verdict = ledger.verdict(List.of("a/1", "a/2", "a/3", "a/9"));

        assertThat(verdict).isEqualTo(new Verdict(2, 1, 0, 2));
        assertThat(verdict.word()).isEqualTo("held");
    }

    @Test
    void withoutALateWriteNothingIsProven() throws Exception {
        write("a/1", 1);
        write("b/1", 2);

        Verdict verdict = ledger.verdict(List.of());

        assertThat(verdict.held()).isFalse();
        assertThat(verdict.word()).isEqualTo("unproven");
    }

    @Test
    void anotherElectionInTheSameLedgerIsNotCounted() throws Exception {
        try (Ledger other =
                Ledger.open("jdbc:sqlite:" + folder.resolve("ledger.db"), new ElectionName("demo/two"), false)) {
            other.append("x/1", new FencingToken(9));
        }

        write("a/1", 1);

        assertThat(ledger.verdict(List.of())).isEqualTo(new Verdict(1, 0, 0, 1));
    }

    private void write(String attempt, long token) throws Exception {
        attempt(attempt, token);
        ledger.append(attempt, new FencingToken(token));
    }

    private void attempt(String attempt, long token) throws Exception {
        ledger.attempt(attempt, new FencingToken(token));
    }
}
