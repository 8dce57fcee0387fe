package dev.incumbent.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which names are legal, character by character, and that they print and sort as the words that they are. */
class NamesTest {
    private static final String LOWER = "abcdefghijklmnopqrstuvwxyz";

    @Test
    void anElectionsNameHasLettersDigitsAndAFewSigns() {
        assertThat(legal(c -> new ElectionName("a" + c + "a")))
                .isEqualTo("-./0123456789" + LOWER.toUpperCase(Locale.ROOT) + "_" + LOWER);
    }

    @Test
    void aFeaturesNameHasLowerCaseLettersDigitsDotsAndDashes() {
        assertThat(legal(c -> new Feature("" + c))).isEqualTo("-.0123456789" + LOWER);
    }

    @Test
    void anAttributesKeyMayHaveUnderscoresBesides() {
        assertThat(legal(c -> Extras.of(Map.of("" + c, "")))).isEqualTo("-.0123456789_" + LOWER);
    }

    @Test
    void anAttributesValueHasNoControlCharacter() {
        assertThat(legal(c -> Extras.of(Map.of("k", "" + c)))).isEqualTo(printable(' '));
    }

    @Test
    void anIdHasNoBlankAndNoControlCharacter() {
        assertThat(legal(c -> new SinkId("" + c))).isEqualTo(printable('!'));
        assertThatThrownBy(() -> new SinkId("a b"))
                .hasMessage("a sink id 'a b' has a blank or control character at position 2");
    }

    @Test
    void anElectionsNameHasOneTo255Characters() {
        assertThat(new ElectionName("n".repeat(255)).value()).hasSize(255);
        assertThatThrownBy(() -> new ElectionName("n".repeat(256)))
                .hasMessage("an election's name has 1 to 255 characters, this one has 256");
        assertThatThrownBy(() -> new ElectionName(""))
                .hasMessage("an election's name has 1 to 255 characters, this one has 0");
        assertThatThrownBy(() -> new ElectionName("a b"))
                .hasMessage("election name 'a b' has ' ' at position 2; legal are letters, digits and . _ / -");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a", "a/", "a//b", ".", "a/./b", "..", "../a", "a/.."})
    void anElectionsNameIsAPathWithoutEmptyOrDottedSegments(String name) {
        assertThatThrownBy(() -> new ElectionName(name)).hasMessageContaining("' has the segment '");
    }

    @Test
    void aNameThatAStoreShowsIsThatOfAnElectionOnlyIfItIsLegal() {
        assertThat(ElectionName.ifLegal("billing/closer")).contains(new ElectionName("billing/closer"));
        assertThat(ElectionName.ifLegal("billing closer")).isEmpty();
    }

    @Test
    void anIdHasOneTo512Characters() {
        assertThat(new LeaseId("x".repeat(512)).value()).hasSize(512);
        assertThatThrownBy(() -> new LeaseId("x".repeat(513)))
                .hasMessage("a lease id has 1 to 512 characters, this one has 513");
        assertThatThrownBy(() -> new LeaseId("")).hasMessage("a lease id has 1 to 512 characters, this one has 0");
    }

    @Test
    void everyWordOfAPersonIsChecked() {
        assertThatThrownBy(() -> new CandidateId(" ")).hasMessageContaining("a candidate id");
        assertThatThrownBy(() -> new Candidate(new CandidateId("a"), " ", "")).hasMessageContaining("candidate's name");
        assertThatThrownBy(() -> new Candidate(new CandidateId("a"), "a", " "))
                .hasMessageContaining("candidate's address");
        assertThatThrownBy(() -> new Freeze(" ", "", Instant.EPOCH, 1)).hasMessageContaining("who freezes");
        assertThatThrownBy(() -> MarkOwner.ofFreeze(" ")).hasMessageContaining("who freezes");
        assertThatThrownBy(() -> MarkOwner.ofThaw(" ", 1)).hasMessageContaining("who thaws");
        assertThatThrownBy(() -> MarkOwner.ofOperator(" ")).hasMessageContaining("who raises");
        assertThatThrownBy(() -> new Request.Resign(" ", 1)).hasMessageContaining("a request's id");
        assertThatThrownBy(() -> new Request.TransferTo(" ", 1, new CandidateId("a")))
                .hasMessageContaining("a request's id");
    }

    @Test
    void namesSortAndPrintAsTheirWords() {
        assertThat(new ElectionName("a")).isLessThan(new ElectionName("b")).hasToString("a");
        assertThat(new CandidateId("a")).isLessThan(new CandidateId("b")).hasToString("a");
        assertThat(new SinkId("a")).isLessThan(new SinkId("b")).hasToString("a");
        assertThat(new LeaseId("a")).isLessThan(new LeaseId("b")).hasToString("a");
        assertThat(new Feature("a")).isLessThan(new Feature("b")).hasToString("a");
        assertThat(new FencingToken(9)).isLessThan(new FencingToken(10)).hasToString("9");
        assertThat(new Revision("r7")).hasToString("r7");
        assertThat(Revision.ABSENT).hasToString("absent");
    }

    @Test
    void anIdThatWasMadeForAProcessTellsItsHost() {
        assertThat(CandidateId.of("ada", "rack-2-7", 4711, "0a1b").host()).contains("rack-2-7");
        assertThat(CandidateId.of("ada@home-1-x", "h", 1, "x").host()).contains("h");
        assertThat(new CandidateId("ada").host()).isEmpty();
        assertThat(new CandidateId("ada@h-x").host()).isEmpty();
    }

    @Test
    void numbersOfTermsTokensAndFreezesBeginWithOne() {
        Candidate ada = new Candidate(CandidateId.of("ada", "h1", 7, "x"), "ada", "");
        Term first = new Term(new ElectionName("billing"), 1, ada);

        assertThat(first).hasToString("term 1 of billing");
        assertThat(Mark.of(first)).hasToString("1 of candidate:ada@h1-7-x");
        assertThat(ada).hasToString("ada@h1-7-x");
        assertThat(new Freeze("ops", "", Instant.EPOCH, 1).number()).isEqualTo(1);
        assertThatThrownBy(() -> new Term(new ElectionName("billing"), 0, ada))
                .hasMessage("a term of billing is at least 1, this one is 0");
        assertThatThrownBy(() -> new FencingToken(0)).hasMessage("a fencing token is at least 1, this one is 0");
        assertThatThrownBy(() -> new Freeze("ops", "", Instant.EPOCH, 0))
                .hasMessage("a freeze's number is at least 1, this one is 0");
    }

    @ParameterizedTest
    @CsvSource({"candidate:a@h-1-x", "freeze:ops", "thaw:0:ops", "thaw:12:o:ps", "operator:ops", "operator:a:b"})
    void theOwnerOfAMarkIsReadBackAsItPrints(String text) {
        MarkOwner owner = MarkOwner.parse(text);

        assertThat(owner).hasToString(text);
        assertThat(owner.text()).isEqualTo(text);
        assertThat(MarkOwner.parse(owner.text())).isEqualTo(owner);
    }

    @Test
    void theFourKindsOfOwnersAreToldApart() {
        assertThat(MarkOwner.parse("candidate:a")).isEqualTo(MarkOwner.ofCandidate(new CandidateId("a")));
        assertThat(MarkOwner.parse("freeze:a")).isEqualTo(MarkOwner.ofFreeze("a"));
        assertThat(MarkOwner.parse("thaw:7:a")).isEqualTo(MarkOwner.ofThaw("a", 7));
        assertThat(MarkOwner.parse("operator:a")).isEqualTo(MarkOwner.ofOperator("a"));
        assertThatThrownBy(() -> MarkOwner.ofThaw("ops", -1))
                .hasMessage("a thaw saw a mark of at least 0, this one saw -1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nobody", ":ops", "robot:x", "thaw:ops", "thaw::ops"})
    void whatIsNoOwnerOfAMarkIsRefusedByName(String text) {
        assertThatThrownBy(() -> MarkOwner.parse(text)).hasMessage("'" + text + "' is no owner of a mark");
    }

    /** The legal ones among the ASCII characters and the first beyond. */
    private static String legal(Consumer<Character> use) {
        return IntStream.rangeClosed(0, 0x80)
                .mapToObj(c -> (char) c)
                .filter(c -> {
                    try {
                        use.accept(c);
                        return true;
                    } catch (IllegalArgumentException refused) {
                        return false;
                    }
                })
                .map(String::valueOf)
                .collect(Collectors.joining());
    }

    private static String printable(char first) {
        return IntStream.rangeClosed(first, 0x80)
                .filter(c -> c != 0x7f)
                .mapToObj(c -> String.valueOf((char) c))
                .collect(Collectors.joining());
    }
}
