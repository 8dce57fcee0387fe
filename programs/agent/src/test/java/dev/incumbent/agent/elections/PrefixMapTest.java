package dev.incumbent.agent.elections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.model.ElectionName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** To what an election belongs. */
class PrefixMapTest {
    private final PrefixMap<String> map = map(Map.of(
            "batch/",
            "b",
            "batch/near/",
            "a",
            "batch/near/far/",
            "b",
            "batch/near/one",
            "c",
            "web",
            "c",
            "batch",
            "c"));

    private static PrefixMap<String> map(Map<String, String> prefixes) {
        Map<Prefix, String> legal = new java.util.HashMap<>();
        prefixes.forEach((prefix, one) -> legal.put(new Prefix(prefix), one));
        return new PrefixMap<>("a", legal);
    }

    @ParameterizedTest
    @CsvSource({
        "job, a",
        "batches/x, a",
        "batch/x, b",
        "batch/x/y/z, b",
        "batch/near, b",
        "batch/near/x, a",
        "batch/near/one, c",
        "batch/near/one/x, a",
        "batch/near/far/x, b",
        "batch, c",
        "web, c",
        "web/x, a",
        "webs, a"
    })
    void theLongestPrefixCounts(String election, String one) {
        assertThat(map.of(new ElectionName(election))).isEqualTo(one);
    }

    @ParameterizedTest
    @CsvSource({
        "x/, a",
        "web/, a",
        "web, c",
        "batch/, b a c",
        "batch, c",
        "batch/x/, b",
        "batch/near/, a b c",
        "batch/near/y/, a",
        "batch/near/far/, b",
        "batch/near/far/z, b"
    })
    void whatMayBeBeneathAPrefixIsTold(String prefix, String all) {
        assertThat(map.beneath(new Prefix(prefix))).containsExactlyInAnyOrder(all.split(" ", -1));
    }

    @Test
    void eachHasANameUnlessThereIsButOne() {
        assertThat(map.all()).containsExactly("a", "c", "b");
        assertThat(map.name("a")).contains("*");
        assertThat(map.name("b")).contains("batch/, batch/near/far/");
        assertThat(map.name("c")).contains("batch, batch/near/one, web");
        assertThat(map(Map.of("batch/", "a")).name("a")).isEmpty();
    }

    @Test
    void whatSeveralPrefixesShareIsMadeOnce() {
        List<String> made = new ArrayList<>();

        PrefixMap<List<String>> mapped = map.map(one -> {
            made.add(one);
            return List.of(one);
        });

        assertThat(made).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(mapped.of(new ElectionName("batch/near/far/x"))).isSameAs(mapped.of(new ElectionName("batch/x")));
        assertThat(mapped.of(new ElectionName("batch/near/x"))).isSameAs(mapped.others());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "*", "a//", "/a", "a b/", "../", "a/./", "a:secret/"})
    void whatIsNoPrefixIsRefusedAndNotRepeated(String text) {
        assertThat(Prefix.ifLegal(text)).isEmpty();
        assertThatThrownBy(() -> new Prefix(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a prefix is the name of an election, or NAME/ for all beneath it");
    }
}
