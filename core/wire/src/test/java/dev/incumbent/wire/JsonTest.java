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
}
