package dev.incumbent.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fuzz.MalformedRequest.End;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The requests of a seed are always the same, and of all sorts. */
final class FuzzerTest {
    private static final List<Example> EXAMPLES = List.of(
            Example.by("core-of-the-token", "POST", "/v1/calls", "KEEP\tL0\n"),
            Example.by("core-of-the-token", "PUT", "/fence/fuzz", "8 operator:me@host"),
            Example.of("GET", "/health/live", ""));

    private final Fuzzer fuzzer = new Fuzzer(1, EXAMPLES);

    private static List<MalformedRequest> some(Fuzzer from, int count) {
        return IntStream.range(0, count).mapToObj(from::request).toList();
    }

    @Test
    void theSameSeedMakesTheSameBytes() {
        assertThat(some(new Fuzzer(7, EXAMPLES), 300)).isEqualTo(some(new Fuzzer(7, EXAMPLES), 300));
    }

    /** On every Java: otherwise a seed that failed elsewhere would say nothing here. */
    @Test
    void theBytesOfASeedNeverChange() {
        long hash = 0;
        for (MalformedRequest request : some(fuzzer, 2_000)) {
            hash = 31 * hash + (request.pieces().toString() + request.end()).hashCode();
        }
        assertThat(hash).isEqualTo(-2369089523522290404L);
    }

    @Test
    void anotherSeedMakesOthers() {
        Set<String> ofOne = bytes(fuzzer);

        assertThat(bytes(new Fuzzer(2, EXAMPLES)).stream()
                        .filter(ofOne::contains)
                        .count())
                .isLessThan(60);
    }

    private static Set<String> bytes(Fuzzer from) {
        return some(from, 300).stream().map(MalformedRequest::bytes).collect(Collectors.toSet());
    }

    @Test
    void oneOfThemIsMadeAgainWithoutTheOthers() {
        List<MalformedRequest> all = some(fuzzer, 200);

        assertThat(new Fuzzer(1, EXAMPLES).request(150)).isEqualTo(all.get(150));
    }

    @Test
    void everySortOccursOnceInARow() {
        List<Sort> sorts = Sort.malformed();

        assertThat(some(fuzzer, sorts.size()))
                .extracting(MalformedRequest::sort)
                .isEqualTo(sorts);
    }

    @Test
    void whatIsHostileByItselfIsSentAsItIs() {
        List<String> texts = EXAMPLES.stream().map(Example::text).toList();

        List<MalformedRequest> sent = some(new Fuzzer(1, EXAMPLES, List.of(Sort.AS_IT_IS)), 100);

        assertThat(sent).allSatisfy(request -> assertThat(texts).contains(request.bytes()));
        assertThat(sent.stream().map(MalformedRequest::end).collect(Collectors.toSet()))
                .isEqualTo(EnumSet.allOf(End.class));
    }

    @Test
    void everyEndOccurs() {
        assertThat(some(fuzzer, 500).stream().map(MalformedRequest::end).collect(Collectors.toSet()))
                .isEqualTo(EnumSet.allOf(End.class));
    }

    @Test
    void requestsAreSentWholeInSomePiecesAndByteByByte() {
        Set<Integer> sizes = new HashSet<>();
        for (MalformedRequest request : some(fuzzer, 500)) {
            sizes.add(request.pieces().size());
            assertThat(request.pieces())
                    .allSatisfy(piece -> assertThat(piece.afterMillis()).isBetween(0, 5));
        }
        assertThat(sizes).contains(1, 2, 5).anyMatch(pieces -> pieces > 60);
    }

    @ParameterizedTest
    @EnumSource
    void aSortIsMadeOfEveryExampleAndVaries(Sort sort) {
        Set<String> made = new HashSet<>();
        for (int number = 0; number < 12; number++) {
            for (Example example : EXAMPLES) {
                made.add(sort.bytes(new Dice(3, number), example));
            }
        }
        assertThat(made).hasSizeGreaterThanOrEqualTo(sort == Sort.NOTHING ? 1 : 3);
        assertThat(made).allSatisfy(text -> assertThat(text.chars()).allMatch(c -> c < 256));
    }

    /** The whole token stands nowhere in them as the scheme wants it, or stands beside another. */
    @ParameterizedTest
    @EnumSource
    void whatShowsNoTokenShowsNone(Sort sort) {
        if (!sort.showsNoToken()) {
            return;
        }
        for (int number = 0; number < 200; number++) {
            String text = sort.bytes(new Dice(5, number), EXAMPLES.get(0));
            long shown = text.lines()
                    .filter(line -> line.startsWith("Authorization:"))
                    .count();
            assertThat(shown > 1 || !text.contains("Authorization: Bearer core-of-the-token\r\n"))
                    .as(text)
                    .isTrue();
        }
    }

    @Test
    void aRequestIsPrintedSoThatAPersonCanReadIt() {
        assertThat(fuzzer.request(1).toString())
                .matches("request 1 of seed 1, EMPTY_LINES, [A-Z_]+, \\d+ bytes in \\d+ pieces: .*");
        assertThat(MalformedRequest.readable("a\r\n\t\u0000\u00ff")).isEqualTo("a\\r\\n\\t\\x00\\xff");
    }
}
