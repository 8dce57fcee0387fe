package dev.incumbent.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a store writes is read, and what is cut off or something else is refused. */
class JsonTest {
    private static final String ANSWER = "{\"header\":{\"revision\":\"12\"},\"succeeded\":true,"
            + "\"kvs\":[{\"key\":\"L2E=\"}, {}],\"n\":null,\"t\":\"a\\\"\\u00e9\\n\"}";

    @Test
    void whatIsAbsentIsEmptyZeroOrFalse() throws IOException {
        Json answer = Json.read(ANSWER);

        assertThat(answer.at("header").at("revision").number()).isEqualTo(12);
        assertThat(answer.at("succeeded").flag()).isTrue();
        assertThat(answer.at("kvs").items()).hasSize(2);
        assertThat(answer.at("kvs").items().get(0).at("key").decoded()).isEqualTo("/a");
        assertThat(answer.at("t").text()).isEqualTo("a\"é\n");
        assertThat(answer.at("n").text()).isEmpty();
        assertThat(answer.at("missing").at("too").number()).isZero();
        assertThat(answer.at("missing").flag()).isFalse();
    }

    @Test
    void everyBeginningOfAnAnswerIsRefused() {
        for (int length = 0; length < ANSWER.length(); length++) {
            String beginning = ANSWER.substring(0, length);

            assertThatThrownBy(() -> Json.read(beginning), "%s", beginning).isInstanceOf(IOException.class);
        }
        assertThatThrownBy(() -> Json.read(ANSWER + "x")).isInstanceOf(IOException.class);
    }

    @Test
    void whatIsNoJsonIsRefused() {
        for (String text : new String[] {"<html>", "pong", "tru", "{\"a\":b}", "\"\\uwxyz\"", "[1 2]"}) {
            assertThatThrownBy(() -> Json.read(text), "%s", text).isInstanceOf(IOException.class);
        }
    }

    @Test
    void whatIsQuotedIsReadBack() throws IOException {
        String text = "pa\"ss\\wo\trd é";

        assertThat(Json.read(Json.quoted(text)).text()).isEqualTo(text);
    }

    @Test
    void everyEscapeIsUnderstood() throws IOException {
        assertThat(Json.read("\"\\b\\f\\n\\r\\t\\/\\\\\\\"\\u0041\"").text()).isEqualTo("\b\f\n\r\t/\\\"A");
        assertThat(Json.quoted("\u001f ~")).isEqualTo("\"\\u001F ~\"");
        assertThat(Json.encoded("/a")).isEqualTo("\"L2E=\"");
        assertThat(Json.encoded(new byte[] {1, 2})).isEqualTo("\"AQI=\"");
    }

    @Test
    void aFieldIsThereOrNot() throws IOException {
        Json object = Json.read("{\"a\": null}");

        assertThat(object.has("a")).isTrue();
        assertThat(object.has("b")).isFalse();
        assertThat(Json.read("[1]").has("a")).isFalse();
    }

    @Test
    void blanksStandAnywhereBetween() throws IOException {
        Json read = Json.read(" \t{ \"a\" : [ 1 , -2.5e+3 ] }\r\n ");

        assertThat(read.at("a").items()).extracting(Json::text).containsExactly("1", "-2.5e+3");
    }

    @Test
    void whatIsNestedTooDeepIsRefusedAndNothingOverflows() throws IOException {
        assertThat(Json.read(nested(64, "[", "]")).items()).hasSize(1);
        for (String[] kind : new String[][] {{"[", "]"}, {"{\"a\":", "}"}}) {
            assertThatThrownBy(() -> Json.read(nested(65, kind[0], kind[1])))
                    .isInstanceOf(IOException.class)
                    .hasMessage("nested deeper than 64 at position " + (64 * kind[0].length() + 1));
        }
    }

    /** Jackson's bounds: a thousand digits, and names of fifty thousand characters. */
    @Test
    void whatIsTooLongIsRefusedAsWhatIsNoJson() {
        for (String tooLong :
                List.of("9".repeat(1_001), "0." + "1".repeat(1_001), "{\"" + "a".repeat(50_001) + "\":1}")) {
            assertThatThrownBy(() -> Json.read(tooLong))
                    .isInstanceOf(JsonException.class)
                    .hasMessage("a number or a name is too long");
        }
    }

    @Test
    void theDepthOfSiblingsDoesNotAddUp() throws IOException {
        Json read = Json.read("[" + "[[]],".repeat(40) + "{\"a\":{}},".repeat(40) + "1]", 3);

        assertThat(read.items()).hasSize(81);
        assertThat(read.depth()).isEqualTo(3);
        assertThat(read.items().get(80).depth()).isZero();
        assertThat(read.items().get(79).depth()).isEqualTo(2);
    }

    private static String nested(int depth, String opens, String closes) {
        return opens.repeat(depth) + "1" + closes.repeat(depth);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "{} x | no JSON at position 4",
                "{} {} | no JSON at position 4",
                "{a:1} | no JSON at position 2",
                "{\"a\" 1} | no JSON at position 6",
                "{\"a\":1;} | no JSON at position 7",
                "{\"a\":1,} | no JSON at position 8",
                "{\"a\":[1;]} | no JSON at position 8",
                "{\"a\":\"\\q\"} | no JSON at position 8",
                "{\"a\":\"\\u00g0\"} | no JSON at position 11",
                "{\"a\":nulL} | no JSON at position 6",
                "{\"a\":NaN} | no JSON at position 9",
                "{\"a\":+1} | no JSON at position 7",
                "{\"a\":03} | no JSON at position 7",
                "{\"a\": | the text ends early, after 5 characters",
                "{\"a\":1 | the text ends early, after 6 characters",
                "{\"a\":\"x | the text ends early, after 7 characters",
                "{\"a\":1,\"b\":2,\"a\":3} | the field 'a' stands twice, again at position 14",
            })
    void whatIsNoJsonIsRefusedWithItsPosition(String text, String why) {
        assertThatThrownBy(() -> Json.read(text))
                .isInstanceOf(JsonException.class)
                .hasMessage(why);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.", "1e", "-", "01", ".5", "0x1", "1e+"})
    void whatIsNoNumberIsRefused(String number) {
        assertThatThrownBy(() -> Json.read("[" + number + "]")).isInstanceOf(JsonException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-0", "-17", "0.5", "10.25", "1e5", "1E5", "1e+5", "1E-5", "1.5e-05"})
    void everyFormOfANumberIsReadAndKeepsItsDigits(String number) throws IOException {
        assertThat(Json.read(number).text()).isEqualTo(number);
        Json list = Json.read("[" + number + ",1]");
        assertThat(list.items().get(0).source()).isEqualTo(number);
        assertThat(list.items().get(0).kind()).isEqualTo(Json.Kind.NUMBER);
    }

    @Test
    void aControlCharacterInAStringIsRefusedUnlessEscaped() throws IOException {
        assertThatThrownBy(() -> Json.read("{\"a\":\"x\u001fy\"}")).hasMessage("no JSON at position 8");
        assertThat(Json.read("{\"a\":\"x\\u001f y\"}").at("a").text()).isEqualTo("x\u001f y");
    }

    @Test
    void whatIsReadKnowsItsKindAndItsSource() throws IOException {
        String text = " {\"t\" : \"a\\n\" ,\"n\":-1,\"f\":false,\"z\":null,\"l\":[ 1 ],\"o\":{ }} ";
        Json read = Json.read(text);

        assertThat(read.names()).containsExactly("t", "n", "f", "z", "l", "o");
        assertThat(read.names().stream().map(name -> read.at(name).source()))
                .containsExactly("\"a\\n\"", "-1", "false", "null", "[ 1 ]", "{ }");
        assertThat(read.names().stream().map(name -> read.at(name).kind()))
                .containsExactly(
                        Json.Kind.TEXT,
                        Json.Kind.NUMBER,
                        Json.Kind.FLAG,
                        Json.Kind.NULL,
                        Json.Kind.LIST,
                        Json.Kind.OBJECT);
        assertThat(read.source()).isEqualTo(text.trim());
        assertThat(read.at("missing").kind()).isEqualTo(Json.Kind.ABSENT);
        assertThat(read.at("f").flag()).isFalse();
        assertThat(read.at("n").number()).isEqualTo(-1);
    }

    /** The parser reads long texts by pieces. */
    @Test
    void theSourceOfAFieldIsRightFarIntoALongText() throws IOException {
        String text = "{\"long\":\"" + "é\\n".repeat(50_000) + "\",\"after\": [12, \"x\"] }";

        assertThat(Json.read(text).at("after").source()).isEqualTo("[12, \"x\"]");
        assertThat(Json.read(text).at("long").text()).isEqualTo("é\n".repeat(50_000));
    }

    @Test
    void signsThatDoNotFitAreRefused() {
        for (String text :
                new String[] {"{\"a\" 1}", "{\"a\";1}", "{a:1}", "[1;2]", "[1}", "{\"a\":1]", "1x", "\"\\u12\"", "", " "
                }) {
            assertThatThrownBy(() -> Json.read(text), "%s", text).isInstanceOf(IOException.class);
        }
    }
}
