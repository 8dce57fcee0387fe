package dev.incumbent.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

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
        assertThat(Json.quoted("\u001f ~")).isEqualTo("\"\\u001f ~\"");
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
                    .hasMessage("no JSON at character " + (65 * kind[0].length() + 1));
        }
    }

    private static String nested(int depth, String opens, String closes) {
        return opens.repeat(depth) + "1" + closes.repeat(depth);
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
