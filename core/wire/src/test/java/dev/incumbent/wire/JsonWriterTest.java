package dev.incumbent.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonGenerationException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonWriterTest {
    @Test
    void everyKindIsWrittenOnOneLineWithoutBlanks() {
        JsonWriter json = new JsonWriter()
                .openObject()
                .field("t", "a")
                .field("n", -7)
                .name("d")
                .value(new BigDecimal("1E+3"))
                .name("f")
                .value(true)
                .name("z")
                .nothing()
                .name("l")
                .openList()
                .value("x")
                .value(1)
                .openObject()
                .closeObject()
                .closeList()
                .rawField("r", "[1, 2]")
                .field("last", "")
                .closeObject();

        assertThat(json.done())
                .isEqualTo(
                        "{\"t\":\"a\",\"n\":-7,\"d\":1000,\"f\":true,\"z\":null,\"l\":[\"x\",1,{}],\"r\":[1, 2],\"last\":\"\"}");
    }

    @ParameterizedTest
    @CsvSource({
        "a\u0001b, a\\u0001b",
        "a\u001fb, a\\u001Fb",
        "a b, a b",
        "a\\b, a\\\\b",
        "é\uD83D\uDE00, é\uD83D\uDE00",
        "a\uD83D, a\\uD83D",
        "\uD83Da, \\uD83Da",
        "é\uDE00, \\u00E9\\uDE00",
        "\uD83D\uD83D\uDE00, \\uD83D\\uD83D\\uDE00",
        "\uD83D\uDE00\uDE00, \\uD83D\\uDE00\\uDE00",
    })
    void controlCharactersAndHalvesOfSurrogatePairsAreWrittenAsEscapes(String value, String written) throws Exception {
        String json = new JsonWriter()
                .openObject()
                .field(value, value)
                .field("é", "é")
                .closeObject()
                .done();

        assertThat(json).isEqualTo("{\"" + written + "\":\"" + written + "\",\"é\":\"é\"}");
        assertThat(Json.read(json).at(value).text()).isEqualTo(value);
    }

    @Test
    void aValueIsEscapedForItselfWhateverWasWrittenBefore() {
        JsonWriter json = new JsonWriter()
                .openObject()
                .field("é", "é\uD83D")
                .name("ü")
                .openList()
                .value("é\uD83D")
                .value("é")
                .closeList()
                .closeObject();

        assertThat(json.done()).isEqualTo("{\"é\":\"\\u00E9\\uD83D\",\"ü\":[\"\\u00E9\\uD83D\",\"é\"]}");
    }

    @Test
    void moreMayFollowAfterWhatWasWrittenSoFar() {
        JsonWriter json = new JsonWriter().openList().value(1);

        assertThat(json.soFar()).isEqualTo("[1");
        assertThat(json.value(2).closeList().done()).isEqualTo("[1,2]");
    }

    @Test
    void whatWouldBeNoJsonIsNotWritten() {
        assertThatThrownBy(() -> new JsonWriter().openObject().value("nameless"))
                .isInstanceOf(UncheckedIOException.class)
                .hasCauseInstanceOf(JsonGenerationException.class);
        assertThatThrownBy(() -> new JsonWriter().openObject().closeList())
                .isInstanceOf(UncheckedIOException.class)
                .hasCauseInstanceOf(JsonGenerationException.class);
    }
}
