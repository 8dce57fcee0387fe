package dev.incumbent.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.protocol.Features;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What a record may bear beside what every version understands is bounded, and each bound is told with both values. */
class BoundsOfARecordTest {
    @Test
    void aFeaturesNameHasOneTo64CharactersOfAFewKinds() {
        assertThat(new Feature("a-1.z").toString()).isEqualTo("a-1.z");
        assertThat(new Feature("x".repeat(64)).value()).hasSize(64);
        assertThatThrownBy(() -> new Feature("")).hasMessage("a feature's name has 1 to 64 characters, this one has 0");
        assertThatThrownBy(() -> new Feature("x".repeat(65)))
                .hasMessage("a feature's name has 1 to 64 characters, this one has 65");
        assertThatThrownBy(() -> new Feature("a_b"))
                .hasMessage("feature 'a_b' has '_' at position 2; legal are a to z, 0 to 9, . and -");
    }

    @Test
    void aRecordRequiresAndACandidateReportsAtMost16FeaturesInOrder() {
        LeaderRecord record = LeaderRecord.EMPTY.withRequires(features(16));

        assertThat(record.requires()).hasSize(16).isInstanceOfAny(Set.class);
        assertThat(record.requires().iterator().next()).isEqualTo(new Feature("f00"));
        assertThatThrownBy(() -> record.withRequires(features(17)))
                .hasMessage("a record has at most 16 features, this one has 17");
        assertThatThrownBy(() ->
                        new Enlisted(candidate(Extras.NONE), new LeaseId("L"), Instant.EPOCH, Set.of(), features(17)))
                .hasMessage("a candidate has at most 16 features, this one has 17");
    }

    @Test
    void aProcessSupportsAtMost16FeaturesAndWantsSomeOfThose() {
        assertThat(new Features(features(16), features(16)).wanted()).hasSize(16);
        assertThatThrownBy(() -> new Features(features(17), Set.of()))
                .hasMessage("a process supports at most 16 features, this one 17");
        assertThatThrownBy(() -> new Features(features(1), Set.of(new Feature("z"))))
                .hasMessage("a process wants features that it supports: wanted [z], supported [f00]");
    }

    @Test
    void whatIsRequiredBeyondWhatIsKnownIsToldInOrder() {
        LeaderRecord record =
                LeaderRecord.EMPTY.withRequires(Set.of(new Feature("b"), new Feature("a"), new Feature("c")));

        assertThat(record.requiresBeyond(Set.of(new Feature("b")))).containsExactly(new Feature("a"), new Feature("c"));
        assertThat(record.requiresBeyond(record.requires())).isEmpty();
    }

    @Test
    void thereAreAtMost8AttributesOfBoundedKeysAndValues() {
        assertThat(Extras.of(attributes(8)).attributes()).hasSize(8);
        assertThat(Extras.of(Map.of("k".repeat(64), "v".repeat(256))).attributes())
                .hasSize(1);
        assertThatThrownBy(() -> Extras.of(attributes(9))).hasMessage("there are at most 8 attributes, here are 9");
        assertThatThrownBy(() -> Extras.of(Map.of("k".repeat(65), "")))
                .hasMessage("an attribute's key has 1 to 64 characters, this one has 65");
        assertThatThrownBy(() -> Extras.of(Map.of("", "")))
                .hasMessage("an attribute's key has 1 to 64 characters, this one has 0");
        assertThatThrownBy(() -> Extras.of(Map.of("a b", "")))
                .hasMessage("attribute key 'a b' has ' ' at position 2; legal are a to z, 0 to 9, . _ and -");
        assertThatThrownBy(() -> Extras.of(Map.of("k", "v".repeat(257))))
                .hasMessage("the attribute 'k' has at most 256 characters, this one has 257");
        assertThatThrownBy(() -> Extras.of(Map.of("k", "a\n")))
                .hasMessage("the attribute 'k' has a control character at position 2");
        assertThatThrownBy(() -> Extras.of(Map.of("k", "\u007f")))
                .hasMessage("the attribute 'k' has a control character at position 1");
    }

    @Test
    void whatALaterVersionAddsIsBoundedInEveryPart() {
        Map<String, String> most = Map.of("x", "1".repeat(2_047));
        Map<String, String> more = Map.of("x", "1".repeat(2_048));
        String sentence = " that this version does not know have at most 2048 characters, these have 2049";

        assertThat(new Extras(Map.of(), most).unknown()).isEqualTo(most);
        assertThatThrownBy(() -> new Extras(Map.of(), more))
                .hasMessage("the fields of a candidate or a request" + sentence);
        assertThatThrownBy(() -> new Freeze("ops", "", Instant.EPOCH, 1, more))
                .hasMessage("the fields of a freeze" + sentence);
        assertThatThrownBy(() -> new PastTerm(
                        1,
                        candidate(Extras.NONE),
                        Instant.EPOCH,
                        Instant.EPOCH,
                        EndReason.CLOSED,
                        Duration.ZERO,
                        Optional.empty(),
                        more))
                .hasMessage("the fields of a past term" + sentence);
        assertThatThrownBy(() -> new Extras(Map.of(), attributes(17)))
                .hasMessage(
                        "a candidate or a request has at most 16 fields that this version does not know, this one has 17");
    }

    @Test
    void whatALaterVersionAddsIsBoundedInTheRecordItself() {
        assertThat(record(Map.of("x", "1".repeat(16_383))).unknown()).hasSize(1);
        assertThatThrownBy(() -> record(Map.of("x", "1".repeat(16_384))))
                .hasMessage(
                        "the fields of a record that this version does not know have at most 16384 characters, these have 16385");
        assertThat(record(attributes(16)).unknown()).hasSize(16);
        assertThatThrownBy(() -> record(attributes(17)))
                .hasMessage("a record has at most 16 fields that this version does not know, this one has 17");
    }

    private static LeaderRecord record(Map<String, String> unknown) {
        LeaderRecord empty = LeaderRecord.EMPTY;
        return new LeaderRecord(
                empty.term(),
                empty.leader(),
                empty.lease(),
                empty.leaseLength(),
                empty.since(),
                empty.request(),
                empty.planned(),
                empty.moved(),
                empty.freeze(),
                empty.cordons(),
                empty.sinks(),
                empty.retiredSinks(),
                empty.requires(),
                empty.holders(),
                empty.nonce(),
                empty.history(),
                unknown);
    }

    private static Candidate candidate(Extras extras) {
        return new Candidate(new CandidateId("a"), "a", "", extras);
    }

    private static Set<Feature> features(int count) {
        Set<Feature> features = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            features.add(new Feature("f%02d".formatted(i)));
        }
        return features;
    }

    private static Map<String, String> attributes(int count) {
        Map<String, String> attributes = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            attributes.put("k" + i, "v");
        }
        return attributes;
    }
}
