package dev.incumbent.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Cordon;
import dev.incumbent.model.Cordons;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.Extras;
import dev.incumbent.model.Feature;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.PlannedTransfer;
import dev.incumbent.model.RankMove;
import dev.incumbent.model.Request;
import dev.incumbent.model.SinkId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordJsonTest {
    private static final Candidate ADA = new Candidate(new CandidateId("ada@h1-7-x"), "ada", "http://h1:80");
    private static final Candidate BOB = new Candidate(new CandidateId("bob@h2-8-y"), "bob", "");
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final String SMALLEST =
            "{\"v\":1,\"term\":3,\"leaseLength\":\"PT15S\",\"since\":\"2026-01-01T12:00:00Z\",\"nonce\":\"n1\"}";

    @Test
    void aPersonCanReadARecord() {
        LeaderRecord record = LeaderRecord.EMPTY
                .claimedBy(7, ADA, new LeaseId("L1"), Duration.ofSeconds(15), NOON)
                .withRequest(Optional.of(new Request.TransferTo("r1", 7, BOB.id())))
                .withFreeze(Optional.of(new Freeze("carl", "two sites", NOON, 9)))
                .withSinks(Map.of(new SinkId("s1"), "postgres ledger"))
                .withRetiredSinks(Set.of(new SinkId("s0")))
                .remembering(
                        new PastTerm(6, BOB, NOON.minusSeconds(60), NOON, EndReason.RESIGNED, Duration.ofSeconds(10)))
                .written("n1");

        String text = RecordJson.write(record);

        assertThat(text)
                .isEqualTo("{\"v\":1,\"term\":7,"
                        + "\"leader\":{\"id\":\"ada@h1-7-x\",\"name\":\"ada\",\"address\":\"http://h1:80\"},"
                        + "\"lease\":\"L1\",\"leaseLength\":\"PT15S\",\"since\":\"2026-01-01T12:00:00Z\","
                        + "\"request\":{\"id\":\"r1\",\"term\":7,\"transferTo\":\"bob@h2-8-y\"},\"freeze\":{\"by\":\"carl\",\"why\":\"two"
                        + " sites\",\"at\":\"2026-01-01T12:00:00Z\",\"number\":9},\"sinks\":{\"s1\":\"postgres"
                        + " ledger\"},\"retiredSinks\":[\"s0\"],\"nonce\":\"n1\","
                        + "\"history\":[{\"term\":6,\"leader\":{\"id\":\"bob@h2-8-y\",\"name\":\"bob\"},"
                        + "\"from\":\"2026-01-01T11:59:00Z\",\"to\":\"2026-01-01T12:00:00Z\",\"reason\":\"RESIGNED\","
                        + "\"leaseLength\":\"PT10S\"}]}");
    }

    @Test
    void everyRecordIsReadBackAsItWasWritten() throws Exception {
        for (long seed = 0; seed < 2_000; seed++) {
            LeaderRecord record = new RandomRecords(new SplittableRandom(seed)).record();

            LeaderRecord readBack = RecordJson.read(RecordJson.write(record));

            assertThat(readBack).as("seed %d", seed).isEqualTo(record);
        }
    }

    @Test
    void everyCandidateIsReadBackAsItWasWritten() throws Exception {
        for (long seed = 0; seed < 500; seed++) {
            Enlisted enlisted = new RandomRecords(new SplittableRandom(seed)).enlisted();

            Enlisted readBack = RecordJson.readEnlisted(RecordJson.write(enlisted));

            assertThat(readBack).as("seed %d", seed).isEqualTo(enlisted);
        }
    }

    @Test
    void everyTruncatedOrSpoiledTextIsRefusedOrAnotherRecordButNeverACrash() {
        String text = RecordJson.write(new RandomRecords(new SplittableRandom(5)).record());
        SplittableRandom random = new SplittableRandom(6);

        for (int i = 0; i < text.length(); i++) {
            String truncated = text.substring(0, i);
            String spoiled = text.substring(0, i) + (char) random.nextInt(0x20, 0x7f) + text.substring(i + 1);

            assertThatThrownBy(() -> RecordJson.read(truncated)).isInstanceOf(UnreadableRecordException.class);
            try {
                RecordJson.read(spoiled);
            } catch (UnreadableRecordException refused) {
                assertThat(refused).hasMessageStartingWith("unreadable record: ");
            }
        }
    }

    @Test
    void fieldsOfALaterVersionAreCarriedThroughAsTheyStand() throws Exception {
        String future = SMALLEST.replace("}", ",\"quorum\": { \"of\": [1, 2.50e3,null] },\"zeal\":\"x\"}");

        LeaderRecord record = RecordJson.read(future);
        String next = RecordJson.write(record.written("n2"));

        assertThat(record.unknown()).containsEntry("quorum", "{ \"of\": [1, 2.50e3,null] }");
        assertThat(next).contains("\"nonce\":\"n2\"", "\"quorum\":{ \"of\": [1, 2.50e3,null] }", "\"zeal\":\"x\"");
    }

    @Test
    void aPersonCanReadWhatARecordRequiresAndWhatItsPartsTell() throws Exception {
        Candidate cay =
                new Candidate(new CandidateId("cay"), "cay", "", Extras.of(Map.of("zone", "eu 1", "rack", "7")));
        LeaderRecord record = LeaderRecord.EMPTY
                .claimedBy(7, cay, new LeaseId("L1"), Duration.ofSeconds(15), NOON)
                .withRequest(Optional.of(new Request.Resign("r1", 7, Extras.of(Map.of("why", "")))))
                .withRequires(Set.of(new Feature("b"), new Feature("a.1")))
                .written("n1");

        String text = RecordJson.write(record);

        assertThat(text)
                .isEqualTo(
                        "{\"v\":2,\"term\":7,\"leader\":{\"id\":\"cay\",\"name\":\"cay\",\"attributes\":{\"rack\":\"7\",\"zone\":\"eu"
                                + " 1\"}},\"lease\":\"L1\",\"leaseLength\":\"PT15S\",\"since\":\"2026-01-01T12:00:00Z\","
                                + "\"request\":{\"id\":\"r1\",\"term\":7,\"attributes\":{\"why\":\"\"}},"
                                + "\"requires\":[\"a.1\",\"b\"],\"nonce\":\"n1\"}");
        assertThat(RecordJson.read(text)).isEqualTo(record);
    }

    @Test
    void aPersonCanReadWhoIsCordoned() throws Exception {
        LeaderRecord record = LeaderRecord.EMPTY
                .withCordons(Cordons.of(List.of(
                        new Cordon("h2", "carl", "new disk", NOON), new Cordon("ada@h1-7-x", "dora", "", NOON))))
                .written("n1");

        String text = RecordJson.write(record);

        assertThat(text)
                .isEqualTo("{\"v\":1,\"term\":0,\"leaseLength\":\"PT0S\",\"since\":\"1970-01-01T00:00:00Z\","
                        + "\"cordons\":[{\"whom\":\"ada@h1-7-x\",\"by\":\"dora\",\"why\":\"\",\"at\":\"2026-01-01T12:00:00Z\"},{\"whom\":\"h2\",\"by\":\"carl\",\"why\":\"new"
                        + " disk\",\"at\":\"2026-01-01T12:00:00Z\"}],\"nonce\":\"n1\"}");
        assertThat(RecordJson.read(text)).isEqualTo(record);
        assertThat(RecordJson.write(record.withCordons(Cordons.NONE)))
                .as("without cordons it is the text of before")
                .isEqualTo(
                        "{\"v\":1,\"term\":0,\"leaseLength\":\"PT0S\",\"since\":\"1970-01-01T00:00:00Z\",\"nonce\":\"n1\"}");
    }

    @Test
    void whatALaterVersionAddsToACordonIsCarriedThrough() throws Exception {
        String cordon =
                "{\"whom\":\"h2\",\"by\":\"carl\",\"why\":\"\",\"at\":\"2026-01-01T12:00:00Z\",\"until\":[1, 2]}";
        String future = SMALLEST.replace("}", ",\"cordons\":[" + cordon + "]}");

        LeaderRecord record = RecordJson.read(future);
        String next =
                RecordJson.write(record.withSinks(Map.of(new SinkId("s1"), "x")).written("n2"));

        assertThat(next).contains("\"cordons\":[" + cordon + "]");
        assertThatThrownBy(() -> RecordJson.read(future.replace("[1, 2]", "[[[[[[[[[1]]]]]]]]]")))
                .hasMessageContaining("of a cordon, which this version does not know, is nested deeper than 8");
        assertThatThrownBy(() -> RecordJson.read(future.replace("]}]", "]}," + cordon + "]")))
                .hasMessage("unreadable record: h2 is cordoned twice");
        assertThatThrownBy(() -> RecordJson.read(future.replace("\"by\":\"carl\",", "")))
                .hasMessage("unreadable record: the field 'by' is missing");
    }

    @Test
    void aPersonCanReadWhatIsPlannedAndWhatALaterVersionAddsIsCarriedThrough() throws Exception {
        PlannedTransfer plan = new PlannedTransfer("carl-1", "bob", NOON.plusSeconds(600), NOON);
        LeaderRecord record = LeaderRecord.EMPTY.withPlanned(Optional.of(plan)).written("n1");

        String text = RecordJson.write(record);
        String future = text.replace("\"by\":\"carl-1\"", "\"by\":\"carl-1\",\"until\":[1, 2]");

        assertThat(text)
                .isEqualTo("{\"v\":1,\"term\":0,\"leaseLength\":\"PT0S\",\"since\":\"1970-01-01T00:00:00Z\","
                        + "\"planned\":{\"by\":\"carl-1\",\"to\":\"bob\",\"notBefore\":\"2026-01-01T12:10:00Z\","
                        + "\"at\":\"2026-01-01T12:00:00Z\"},\"nonce\":\"n1\"}");
        assertThat(RecordJson.read(text)).isEqualTo(record);
        assertThat(RecordJson.write(RecordJson.read(future).written("n2"))).contains("\"until\":[1, 2]");
    }

    @Test
    void aPersonCanReadThatALeaderMoved() throws Exception {
        LeaderRecord record = LeaderRecord.EMPTY
                .withMoved(Optional.of(new RankMove("9f3c", "51be", true, Map.of())))
                .written("n1");

        String text = RecordJson.write(record);

        assertThat(text)
                .isEqualTo("{\"v\":1,\"term\":0,\"leaseLength\":\"PT0S\",\"since\":\"1970-01-01T00:00:00Z\","
                        + "\"moved\":{\"inputs\":\"9f3c\",\"to\":\"51be\",\"lasted\":true},\"nonce\":\"n1\"}");
        assertThat(RecordJson.read(text)).isEqualTo(record);
        assertThatThrownBy(() -> RecordJson.read(text.replace("true", "\"yes\"")))
                .hasMessageContaining("'lasted'");
    }

    /** An older version carries both as fields that it does not know. */
    @Test
    void theLongestPlanAndAMoveFitBesideAsManyCordonsAsThereMayBe() throws Exception {
        Cordons most = Cordons.NONE;
        for (Cordon next = cordon(0, "é");
                most.refusal(next).isEmpty();
                next = cordon(most.all().size(), "é")) {
            most = most.with(next);
        }
        PlannedTransfer plan = new PlannedTransfer("o".repeat(350), "é".repeat(420), NOON, NOON);
        String text = RecordJson.write(LeaderRecord.EMPTY
                .withCordons(most)
                .withPlanned(Optional.of(plan))
                .withMoved(Optional.of(new RankMove("i".repeat(350), "t".repeat(350), false, Map.of())))
                .written("n1"));

        LeaderRecord ofAnOlder = RecordJson.read(text.replace("\"cordons\"", "\"coldons\"")
                .replace("\"planned\"", "\"plaited\"")
                .replace("\"moved\"", "\"mowed\""));

        assertThat(ofAnOlder.unknown()).containsOnlyKeys("coldons", "plaited", "mowed");
    }

    /** What a version that knows no cordons carries through as a field that it does not know has a bound there. */
    @Test
    void asManyCordonsAsThereMayBeAreAFieldThatEveryVersionCarries() throws Exception {
        for (String filler : List.of("x", "\"", "é", "\ud83d")) {
            Cordons most = Cordons.NONE;
            Cordon next = cordon(0, filler);
            while (most.refusal(next).isEmpty()) {
                most = most.with(next);
                next = cordon(most.all().size(), filler);
            }
            String text = RecordJson.write(LeaderRecord.EMPTY.withCordons(most).written("n1"));

            LeaderRecord ofAnOlder = RecordJson.read(text.replace("\"cordons\"", "\"coldons\""));
            String carried = RecordJson.write(ofAnOlder).replace("\"coldons\"", "\"cordons\"");

            assertThat(most.all()).as(filler).hasSizeGreaterThan(4);
            assertThat(ofAnOlder.unknown().toString()).hasSizeLessThan(12_300 + "{coldons=}".length());
            assertThat(RecordJson.read(carried).cordons()).isEqualTo(most);
        }
    }

    private static Cordon cordon(int number, String filler) {
        return new Cordon(number + filler.repeat(100), "ops" + filler.repeat(50), filler.repeat(150), NOON);
    }

    @Test
    void aPersonCanReadWhatACandidateSupports() throws Exception {
        Enlisted enlisted =
                new Enlisted(BOB, new LeaseId("L2"), NOON, Set.of(), Set.of(new Feature("b"), new Feature("a")));

        String text = RecordJson.write(enlisted);

        assertThat(text)
                .isEqualTo("{\"v\":1,\"candidate\":{\"id\":\"bob@h2-8-y\",\"name\":\"bob\"},\"lease\":\"L2\","
                        + "\"since\":\"2026-01-01T12:00:00Z\",\"supports\":[\"a\",\"b\"]}");
        assertThatThrownBy(() -> RecordJson.readEnlisted(text.replace("\"a\",\"b\"", "\"b\",\"a\"")))
                .hasMessage("unreadable candidate: the field 'supports' is not in order: a stands after b");
        assertThatThrownBy(() -> RecordJson.readEnlisted(text.replace("\"v\":1", "\"v\":2")))
                .hasMessage("unreadable candidate: it is of format 2, this version reads format 1");
    }

    @Test
    void whatALaterVersionAddsToAPartIsCarriedThroughAsItStandsInEachPart() throws Exception {
        String leader = "{\"id\":\"a\",\"name\":\"a\",\"in.leader\":[[[[[[[[ 1.50e0]]]]]]]]}";
        String future = SMALLEST.replace(
                "\"nonce\"",
                "\"leader\":" + leader + ",\"lease\":\"L1\",\"request\":{\"id\":\"r\",\"term\":3,\"inRequest\":{ }},"
                        + "\"freeze\":{\"by\":\"x\",\"why\":\"\",\"at\":\"2026-01-01T12:00:00Z\",\"number\":4,\"inFreeze\":null},"
                        + "\"history\":[{\"term\":2,\"leader\":" + leader + ",\"from\":\"2026-01-01T11:00:00Z\","
                        + "\"to\":\"2026-01-01T12:00:00Z\",\"reason\":\"RESIGNED\",\"leaseLength\":\"PT9S\",\"inTerm\":true}],\"nonce\"");

        LeaderRecord record = RecordJson.read(future);
        String next = RecordJson.write(record.written("n2"));

        assertThat(next)
                .contains(
                        "\"leader\":" + leader + ",\"lease\"",
                        "\"history\":[{\"term\":2,\"leader\":" + leader,
                        "\"inRequest\":{ }}",
                        "\"inFreeze\":null}",
                        "\"inTerm\":true}]");
        assertThat(RecordJson.read(next)).isEqualTo(record.written("n2"));
    }

    @Test
    void theLongestHistoryFitsTheStoreOfTheLeastRoom() {
        Map<String, String> attributes = new TreeMap<>();
        for (int i = 0; i < Extras.MOST_ATTRIBUTES; i++) {
            attributes.put(i + "k".repeat(63), "v".repeat(256));
        }
        Map<String, String> added = Map.of("x", "1".repeat(2_047));
        String word = "w".repeat(512);
        Candidate candidate = new Candidate(new CandidateId(word), word, word, new Extras(attributes, added));
        LeaderRecord record = LeaderRecord.EMPTY
                .claimedBy(1, candidate, new LeaseId(word), Duration.ofSeconds(15), NOON)
                .written(word);
        for (int i = 0; i < LeaderRecord.REMEMBERED_TERMS; i++) {
            record = record.remembering(new PastTerm(
                    i, candidate, NOON, NOON, EndReason.TRANSFERRED, Duration.ofSeconds(15), Optional.empty(), added));
        }

        String text = RecordJson.write(record);

        assertThat(text.length()).isBetween(140_000, 150_000).isLessThan(256 << 10);
    }

    @Test
    void theNonceComesFirstForAStoreThatComparesBeginnings() throws Exception {
        Candidate tricky = new Candidate(
                ADA.id(), "ada", "", new Extras(Map.of("a", "1", "nonce", "x"), Map.of("nonce", "\"y\"")));
        LeaderRecord record = LeaderRecord.EMPTY
                .claimedBy(1, tricky, new LeaseId("L1"), Duration.ofSeconds(9), NOON)
                .written("n1");

        String text = RecordJson.writeNonceFirst(record);

        assertThat(text).startsWith("{\"nonce\":\"n1\",\"v\":1,\"term\":1,\"leader\":");
        assertThat(RecordJson.read(text)).isEqualTo(record);
        assertThat(text).hasSameSizeAs(RecordJson.write(record));
    }

    @Test
    void theSmallestRecordIsRead() throws Exception {
        LeaderRecord record = RecordJson.read(" " + SMALLEST + "\n");

        assertThat(record.term()).isEqualTo(3);
        assertThat(record.leader()).isEmpty();
        assertThat(record.leaseLength()).isEqualTo(Duration.ofSeconds(15));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "\"v\":1 | \"v\":3 | it is of format 3, this version reads format 1 to 2",
                "\"v\":1 | \"v\":0 | it is of format 0, this version reads format 1 to 2",
                "\"v\":1 | \"v\":2 | it is of format 2 and requires []; format 1 requires nothing, format 2 something",
                "\"term\":3 | \"term\":3,\"requires\":[\"a\"] | it is of format 1 and requires [a]; format 1 requires nothing, format 2 something",
                "\"v\":1 | \"v\":2,\"requires\":[\"b\",\"a\"] | the field 'requires' is not in order: a stands after b",
                "\"v\":1 | \"v\":2,\"requires\":[\"a\",\"a\"] | the field 'requires' is not in order: a stands after a",
                "\"v\":1 | \"v\":2,\"requires\":[\"A\"] | feature 'A' has 'A' at position 1; legal are a to z, 0 to 9, . and -",
                "\"v\":1 | \"v\":2,\"requires\":[1] | the field 'requires' is not a string",
                "\"v\":1 | \"v\":2,\"requires\":\"a\" | the field 'requires' is not a list",
                "\"v\":1, | '' | the field 'v' is missing",
                "\"v\":1 | \"v\":\"1\" | the field 'v' is not a whole number",
                "\"term\":3 | \"term\":3.0 | the field 'term' is no whole number below 2^63",
                "\"term\":3 | \"term\":9223372036854775808 | the field 'term' is no whole number below 2^63",
                "\"term\":3 | \"term\":-3 | a record's term is at least 0, this one is -3",
                "\"term\":3 | \"term\":03 | no JSON at position 16",
                "\"term\":3 | \"term\":3,\"term\":4 | the field 'term' stands twice, again at position 17",
                "\"term\":3 | \"term\":3,\"lease\":\"L1\" | a record names a leader and its lease, or neither",
                "\"term\":3 | \"term\":3,\"leader\":null | the field 'leader' is not an object",
                "\"term\":3 | \"term\":3,\"request\":{\"id\":\"r\",\"term\":3,\"a\":[[[[[[[[[]]]]]]]]]} | the field 'a' of the request, which this version does not know, is nested deeper than 8",
                "\"term\":3 | \"term\":3,\"request\":{\"id\":\"r\",\"term\":3,\"a\":[[[[[[[[{}]]]]]]]]} | the field 'a' of the request, which this version does not know, is nested deeper than 8",
                "\"term\":3 | \"term\":3,\"request\":{\"id\":\"r\",\"term\":3,\"a\":1,\"a\":1} | the field 'a' stands twice",
                "\"term\":3 | \"term\":3,\"request\":{\"id\":\"r\",\"term\":3,\"attributes\":{\"Zone\":\"eu\"}} | attribute key 'Zone' has 'Z' at position 1; legal are a to z, 0 to 9, . _ and -",
                "\"term\":3 | \"term\":3,\"request\":{\"id\":\"r\",\"term\":3,\"attributes\":{\"zone\":1}} | the field 'zone' is not a string",
                "\"term\":3 | \"term\":3,\"request\":{\"id\":\"r\",\"term\":3,\"attributes\":{\"zone\":\"\",\"zone\":\"\"}} | the field 'zone' stands twice",
                "\"PT15S\" | \"15\" | cannot be parsed",
                "\"n1\" | \"\" | the field 'nonce' is empty",
                "\"n1\"} | \"n1\"}} | no JSON at position",
                "\"n1\"} | \"n1\" | the text ends early, after 81 characters",
                "\"n1\" | \"n\\x\" | no JSON at position",
                "\"n1\" | \"n\\u12g4\" | no JSON at position",
                "\"n1\" | +1 | no JSON at position",
                "\"n1\" | nul | no JSON at position",
            })
    void whatIsMalformedOrLaterIsRefusedInASentence(String part, String instead, String sentence) {
        String text = SMALLEST.replace(part, instead == null ? "" : instead);

        assertThatThrownBy(() -> RecordJson.read(text))
                .isInstanceOf(UnreadableRecordException.class)
                .hasMessageStartingWith("unreadable record: ")
                .hasMessageContaining(sentence);
    }

    @Test
    void aTextTooLongOrTooDeepIsRefused() {
        String deep = SMALLEST.replace("}", ",\"x\":" + "[".repeat(40) + "]".repeat(40) + "}");
        String longest = SMALLEST.replace("n1", "n".repeat(1 << 20));

        assertThatThrownBy(() -> RecordJson.read(deep)).hasMessageContaining("nested deeper than 32");
        assertThatThrownBy(() -> RecordJson.read(longest)).hasMessageContaining("at most 1048576 characters");
    }

    @Test
    void aRecordWithoutANonceIsNotWritten() {
        assertThatThrownBy(() -> RecordJson.write(LeaderRecord.EMPTY)).hasMessageContaining("bears a nonce");
    }
}
