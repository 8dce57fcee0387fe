package dev.incumbent.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @Test
    void blanksMayStandAroundEveryNameAndValue() throws Exception {
        JsonFields fields = JsonReader.read(" {\t\"a\" :\r1 ,\n\"b\" : [ 1 , 2 ] } ");

        assertThat(fields.whole("a")).isEqualTo(1);
        assertThat(fields.itemsIfAny("b")).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-0", "-17", "0.5", "10.25", "1e5", "1E5", "1e+5", "1E-5", "1.5e-05"})
    void everyFormOfANumberIsRead(String number) throws Exception {
        assertThat(JsonReader.read("{\"n\":" + number + "}").untaken()).isEqualTo(Map.of("n", number));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "[1] | expected an object at position 1, found '['",
                "{} x | expected the end at position 4, found 'x'",
                "{a:1} | expected '\"' at position 2, found 'a'",
                "{\"a\" 1} | expected ':' at position 6, found '1'",
                "{\"a\":1;} | expected '}' or ',' at position 7, found ';'",
                "{\"a\":[1;]} | expected ']' or ',' at position 8, found ';'",
                "{\"a\":\"\\q\"} | expected an escape at position 8, found 'q'",
                "{\"a\":\"\\u00g0\"} | expected a hexadecimal digit at position 11, found 'g'",
                "{\"a\":1.} | expected a value at position 8, found '}'",
                "{\"a\":1e} | expected a value at position 8, found '}'",
                "{\"a\":nulL} | expected a value at position 6, found 'n'",
                "{\"a\": | the text ends early, after 5 characters",
            })
    void whatIsNoJsonIsRefusedWithItsPosition(String text, String why) {
        assertThatThrownBy(() -> JsonReader.read(text)).hasMessage(why);
    }

    @Test
    void aControlCharacterInAStringIsRefusedUnlessEscaped() throws Exception {
        assertThatThrownBy(() -> JsonReader.read("{\"a\":\"x\u001fy\"}"))
                .hasMessage("expected no bare control character in a string at position 8, found '\u001f'");
        assertThat(JsonReader.read("{\"a\":\"x\\u001f y\"}").text("a")).isEqualTo("x\u001f y");
    }

    @Test
    void aDocumentMayHaveAsManyCharactersAsTheBoundAndNoMore() throws Exception {
        String longest = "{" + " ".repeat(JsonReader.LONGEST - 2) + "}";

        assertThat(JsonReader.read(longest).names()).isEmpty();
        assertThatThrownBy(() -> JsonReader.read(longest + " ")).hasMessageContaining("this one has 1048577");
    }

    @Test
    void objectsAndListsMayBeNestedThirtyTwoDeepAndNoDeeper() throws Exception {
        String objects = "{\"a\":".repeat(31) + "{}" + "}".repeat(31);
        String lists = "{\"a\":" + "[".repeat(31) + "]".repeat(31) + "}";

        assertThat(JsonReader.read(objects).names()).containsExactly("a");
        assertThat(JsonReader.read(lists).names()).containsExactly("a");
        assertThatThrownBy(() -> JsonReader.read(objects.replace("{}", "{\"a\":{}}")))
                .hasMessage("nested deeper than 32 at position 161");
        assertThatThrownBy(() -> JsonReader.read(lists.replace("[]", "[[]]")))
                .hasMessage("nested deeper than 32 at position 37");
    }

    @Test
    void theDepthOfSiblingsDoesNotAddUp() throws Exception {
        String list = "[[]],".repeat(40);
        String object = "{\"a\":{}},".repeat(40);

        assertThat(JsonReader.read("{\"a\":[" + list + object + "1]}").itemsIfAny("a"))
                .hasSize(81);
    }

    @ParameterizedTest
    @CsvSource({
        "a\u0001b, a\\u0001b",
        "a\u001fb, a\\u001fb",
        "a b, a b",
        "a\\b, a\\\\b",
        "\uD83D\uDE00, \uD83D\uDE00",
        "a\uD83D, a\\ud83d",
        "\uD83Da, \\ud83da",
        "\uD83D\uD83D\uDE00, \\ud83d\uD83D\uDE00",
        "\uDE00, \\ude00",
        "a\uDE00, a\\ude00",
        "\uD83D\uDE00\uDE00, \uD83D\uDE00\\ude00",
    })
    void controlCharactersAndHalvesOfSurrogatePairsAreWrittenAsEscapes(String value, String written) throws Exception {
        String json = new JsonWriter().open('{').field("a", value).close('}').done();

        assertThat(json).isEqualTo("{\"a\":\"" + written + "\"}");
        assertThat(JsonReader.read(json).text("a")).isEqualTo(value);
    }
}
