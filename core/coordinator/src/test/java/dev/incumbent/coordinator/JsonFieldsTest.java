package dev.incumbent.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonFieldsTest {
    @ParameterizedTest
    @ValueSource(strings = {"0", "-0", "10.25", "1E+5", "\"a\\u0041\"", "true", "null", "[ 1,{} ]", "{\"b\" : [ ]}"})
    void whatNobodyTookIsKeptToTheCharacter(String value) throws Exception {
        JsonFields fields = JsonFields.read("{\"taken\":1, \"n\" : " + value + " }");

        assertThat(fields.whole("taken")).isEqualTo(1);
        assertThat(fields.untaken()).isEqualTo(Map.of("n", value));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "[1] | a document is an object, this one is none",
                "1 | a document is an object, this one is none",
                "{} x | no JSON at position 4",
                "{\"a\": | the text ends early, after 5 characters",
                "{\"a\":1,\"a\":2} | the field 'a' stands twice, again at position 8",
            })
    void whatIsNotOneObjectIsRefused(String text, String why) {
        assertThatThrownBy(() -> JsonFields.read(text))
                .isInstanceOf(UnreadableRecordException.class)
                .hasMessage(why);
    }

    @Test
    void aFieldIsTakenAsItsKindAlone() throws Exception {
        JsonFields fields =
                JsonFields.read("{\"t\":\"7\",\"n\":7,\"f\":true,\"z\":null,\"l\":[7],\"o\":{\"i\":7},\"d\":7.0}");

        assertThat(fields.text("t")).isEqualTo("7");
        assertThat(fields.whole("n")).isEqualTo(7);
        assertThat(fields.itemsIfAny("l")).hasSize(1);
        assertThat(fields.fields("o").whole("i")).isEqualTo(7);
        for (String name : new String[] {"n", "f", "z", "l", "o"}) {
            assertThatThrownBy(() -> fields.text(name)).hasMessage("the field '" + name + "' is not a string");
        }
        for (String name : new String[] {"t", "f", "z", "l", "o"}) {
            assertThatThrownBy(() -> fields.whole(name)).hasMessage("the field '" + name + "' is not a whole number");
            assertThatThrownBy(() -> fields.whole("d")).hasMessage("the field 'd' is no whole number below 2^63");
        }
        for (String name : new String[] {"t", "n", "z", "o"}) {
            assertThatThrownBy(() -> fields.itemsIfAny(name)).hasMessage("the field '" + name + "' is not a list");
        }
        for (String name : new String[] {"t", "n", "z", "l"}) {
            assertThatThrownBy(() -> fields.fields(name)).hasMessage("the field '" + name + "' is not an object");
        }
        assertThatThrownBy(() -> fields.text("none")).hasMessage("the field 'none' is missing");
        assertThat(fields.textIfAny("none")).isEmpty();
        assertThat(fields.fieldsIfAny("none")).isEmpty();
        assertThat(fields.itemsIfAny("none")).isEmpty();
    }

    @Test
    void aDocumentMayHaveAsManyCharactersAsTheBoundAndNoMore() throws Exception {
        String longest = "{" + " ".repeat(JsonFields.LONGEST - 2) + "}";

        assertThat(JsonFields.read(longest).names()).isEmpty();
        assertThatThrownBy(() -> JsonFields.read(longest + " ")).hasMessageContaining("this one has 1048577");
    }

    @Test
    void objectsAndListsMayBeNestedThirtyTwoDeepAndNoDeeper() throws Exception {
        String objects = "{\"a\":".repeat(31) + "{}" + "}".repeat(31);

        assertThat(JsonFields.read(objects).names()).containsExactly("a");
        assertThatThrownBy(() -> JsonFields.read(objects.replace("{}", "{\"a\":{}}")))
                .hasMessage("nested deeper than 32 at position 161");
    }
}
