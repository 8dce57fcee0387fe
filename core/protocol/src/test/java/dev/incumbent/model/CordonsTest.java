package dev.incumbent.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whom a cordon means, and how much a record holds. */
class CordonsTest {
    private static final Candidate ADA = candidate("ada", "h1");
    private static final Candidate BOB = candidate("bob", "h1.example");

    @Test
    void aCordonMeansAHostOrANameOrAnIdAsAWhole() {
        assertThat(cordon("h1").covers(ADA)).as("its host").isTrue();
        assertThat(cordon("ada").covers(ADA)).as("its name").isTrue();
        assertThat(cordon("ada@h1-7-x").covers(ADA)).as("its id").isTrue();
        assertThat(cordon("h1").covers(BOB)).as("part of its host").isFalse();
        assertThat(cordon("ad").covers(ADA)).as("part of its name").isFalse();
        assertThat(cordon("ada@h1-7-y").covers(ADA)).as("another incarnation").isFalse();
        assertThat(cordon("h2").covers(ADA)).isFalse();
    }

    @Test
    void theyAreInOrderAndOneForEach() {
        assertThat(cordons("b", "a").all()).containsExactly(cordon("a"), cordon("b"));
        assertThat(cordons("b", "a")).isEqualTo(cordons("a", "b"));
        assertThat(Cordons.of(List.of())).isSameAs(Cordons.NONE);
        assertThat(cordons("a").without("a")).isSameAs(Cordons.NONE);
        assertThat(cordons("a", "b").without("a")).isEqualTo(cordons("b"));
        assertThat(cordons("a").of("a")).contains(cordon("a"));
        assertThat(cordons("a").of("b")).isEmpty();
        assertThatThrownBy(() -> cordons("a", "a")).hasMessage("a is cordoned twice");
    }

    @Test
    void aRecordHoldsThirtyTwo() {
        Cordons full = numbered(32, "ops");

        assertThat(full.all()).hasSize(32);
        assertThat(numbered(31, "ops").refusal(cordon("one-more"))).isEmpty();
        assertThat(full.refusal(cordon("one-more")))
                .contains("a record has at most 32 cordons, with this one it has 33");
        assertThatThrownBy(() -> numbered(33, "ops"))
                .hasMessage("a record has at most 32 cordons, with this one it has 33");
    }

    @Test
    void togetherTheyAreWrittenInAtMost12288Characters() {
        int each = 96 + "h00".length();
        String fits = "x".repeat((12_288 - 32 * each) / 32);

        assertThat(numbered(32, fits).all()).hasSize(32);
        assertThatThrownBy(() -> numbered(32, fits + "x"))
                .hasMessage("the cordons of a record have at most 12288 characters together, these have 12320");
        assertThatThrownBy(() -> numbered(32, fits.substring(1) + '"'))
                .as("a quote is written as two")
                .hasMessageContaining("these have 12320");
        assertThatThrownBy(() -> numbered(32, fits.substring(5) + 'é'))
                .as("what is not ASCII may be written as six")
                .hasMessageContaining("these have 12320");
        Cordon big = new Cordon("a", "ops", "", Instant.EPOCH, Map.of("later", "1".repeat(2_000)));
        assertThat(numbered(4, "ops").refusal(big)).isEmpty();
        assertThat(Cordons.of(IntStream.range(0, 5)
                                .mapToObj(i -> new Cordon("a" + i, "ops", "", Instant.EPOCH, big.unknown()))
                                .toList())
                        .refusal(big))
                .contains("the cordons of a record have at most 12288 characters together, these have 12659");
    }

    @Test
    void itsWordsAreBounded() {
        assertThat(new Cordon("h", "ops", "x".repeat(200), Instant.EPOCH).why()).hasSize(200);
        assertThatThrownBy(() -> new Cordon("h", "ops", "x".repeat(201), Instant.EPOCH))
                .hasMessage("why of a cordon has at most 200 characters, this one has 201");
        assertThatThrownBy(() -> new Cordon("h", "ops", "a\u0085", Instant.EPOCH))
                .hasMessage("why of a cordon has a control character at position 2");
        assertThatThrownBy(() -> new Cordon("", "ops", "", Instant.EPOCH))
                .hasMessage("who is cordoned has 1 to 512 characters, this one has 0");
        assertThatThrownBy(() -> new Cordon("h 1", "ops", "", Instant.EPOCH))
                .hasMessage("who is cordoned 'h 1' has a blank or control character at position 2");
        assertThatThrownBy(() -> new Cordon("h", "o p", "", Instant.EPOCH))
                .hasMessage("who cordons 'o p' has a blank or control character at position 2");
        assertThatThrownBy(() -> new Cordon("h", "ops", "", Instant.EPOCH, Map.of("x", "1".repeat(2_048))))
                .hasMessage("the fields of a cordon that this version does not know have at most 2048 characters,"
                        + " these have 2049");
    }

    private static Cordon cordon(String whom) {
        return new Cordon(whom, "ops", "", Instant.EPOCH);
    }

    private static Cordons cordons(String... whom) {
        return Cordons.of(List.of(whom).stream().map(CordonsTest::cordon).toList());
    }

    private static Cordons numbered(int count, String by) {
        return Cordons.of(IntStream.range(0, count)
                .mapToObj(i -> new Cordon("h%02d".formatted(i), by, "", Instant.EPOCH))
                .toList());
    }

    private static Candidate candidate(String name, String host) {
        return new Candidate(CandidateId.of(name, host, 7, "x"), name, "");
    }
}
