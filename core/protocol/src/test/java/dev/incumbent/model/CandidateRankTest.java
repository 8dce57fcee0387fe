package dev.incumbent.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a candidate tells of its rank, and in which order versions are. */
class CandidateRankTest {
    private static final CandidateRank WHOLE = new CandidateRank(-5, "1.4.2", true, "us", "eu");
    private static final Candidate ADA =
            new Candidate(new CandidateId("ada"), "ada", "", new Extras(Map.of("beats", "h:1"), Map.of("later", "1")));

    @Test
    void aRankIsToldByAttributesAndTheOthersStay() {
        Candidate ranked = ADA.withRank(WHOLE);

        assertThat(ranked.rank()).isEqualTo(WHOLE);
        assertThat(ranked.extras().attributes())
                .isEqualTo(Map.of(
                        "beats", "h:1",
                        "priority", "-5",
                        "version", "1.4.2",
                        "version-order", "oldest-first",
                        "zone", "us",
                        "preferred-zone", "eu"));
        assertThat(ranked.extras().unknown()).isEqualTo(Map.of("later", "1"));
        assertThat(ranked.withRank(CandidateRank.PLAIN)).isEqualTo(ADA);
        assertThat(ADA.rank()).isEqualTo(CandidateRank.PLAIN);
    }

    @Test
    void aPositionIsAnAttributeBesideTheRank() {
        Candidate told = ADA.withRank(WHOLE).withPosition(123);

        assertThat(told.position()).hasValue(123);
        assertThat(told.rank()).isEqualTo(WHOLE);
        assertThat(told.extras().attributes()).containsEntry("position", "123");
        assertThat(told.withPosition(-1)).isEqualTo(ADA.withRank(WHOLE));
        assertThat(ADA.withPosition(0).position()).hasValue(0);
        assertThat(ADA.withPosition(999_999_999_999_999_999L).position()).hasValue(999_999_999_999_999_999L);
        for (String other : List.of("", "-1", "1.5", "x", "1000000000000000000")) {
            assertThat(new Candidate(new CandidateId("a"), "a", "", Extras.of(Map.of("position", other))).position())
                    .as(other)
                    .isEmpty();
        }
    }

    @Test
    void eachPartIsSetByItself() {
        assertThat(CandidateRank.PLAIN
                        .withPriority(-5)
                        .withVersion("1.4.2")
                        .withOldestFirst(true)
                        .withZone("us")
                        .withPreferredZone("eu"))
                .isEqualTo(WHOLE);
    }

    @Test
    void whoNamesAZoneAndRunsElsewhereIsAway() {
        assertThat(WHOLE.isAway()).isTrue();
        assertThat(WHOLE.withZone("eu").isAway()).isFalse();
        assertThat(WHOLE.withZone("").isAway()).isTrue();
        assertThat(WHOLE.withPreferredZone("").isAway()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "\t", "é", "\u007f"})
    void whatIsNoWordIsRefusedInCodeAndNotToldInARecord(String text) {
        assertThatThrownBy(() -> CandidateRank.PLAIN.withVersion(text))
                .hasMessageContaining("a version is one word of at most 64 printable characters of ASCII");
        assertThatThrownBy(() -> CandidateRank.PLAIN.withZone(text)).hasMessageStartingWith("a zone is one word");
        assertThatThrownBy(() -> CandidateRank.PLAIN.withPreferredZone("x".repeat(65)))
                .hasMessageStartingWith("a preferred zone is one word");
        assertThat(CandidateRank.of(Map.of("version", text, "zone", text, "version-order", "newest")))
                .isEqualTo(CandidateRank.PLAIN);
    }

    @ParameterizedTest
    @CsvSource({
        "1.9, 1.10",
        "1.2, 1.2.1",
        "1.2.0-rc1, 1.2",
        "1.2-alpha, 1.2-alpha.1",
        "1.2-alpha.1, 1.2-alpha.beta",
        "1.2-9, 1.2-10",
        "1.2-10, 1.2-a",
        "1.9, v2",
        "'', 0",
        "1.9, 1.a",
        "1..2, 1.0.1",
        "99999999999999999998, 99999999999999999999"
    })
    void theFirstIsOlder(String older, String newer) {
        VersionComparator versions = new VersionComparator();

        assertThat(versions.compare(older, newer)).isNegative();
        assertThat(versions.compare(newer, older)).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"1.2, 1.2.0", "v1.2, 1.2", "1.2+build7, 1.2+build8", "01.2, 1.2", "1.2-a, 1.2-a+x", "'', ''"})
    void bothAreOneVersion(String one, String other) {
        assertThat(new VersionComparator().compare(one, other)).isZero();
        assertThat(new VersionComparator().compare(other, one)).isZero();
    }

    @Test
    void allTextsHaveOneOrder() {
        List<String> all = List.of(
                "",
                "0",
                "1",
                "1.0",
                "1.",
                "1..1",
                ".",
                "-",
                "--",
                "1-",
                "1--",
                "1-0",
                "1-a",
                "1-a.0",
                "1-.",
                "v",
                "v1",
                "va",
                "+",
                "1+",
                "a",
                "a.1",
                "1.a",
                "00",
                "1.-a",
                "٣",
                "1.0.0.0.1");
        VersionComparator versions = new VersionComparator();
        for (String a : all) {
            for (String b : all) {
                assertThat(Integer.signum(versions.compare(a, b)))
                        .as("%s and %s", a, b)
                        .isEqualTo(-Integer.signum(versions.compare(b, a)));
                for (String c : all) {
                    if (versions.compare(a, b) <= 0 && versions.compare(b, c) <= 0) {
                        assertThat(versions.compare(a, c))
                                .as("%s, %s, %s", a, b, c)
                                .isNotPositive();
                    }
                }
            }
        }
    }
}
