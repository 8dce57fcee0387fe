package dev.incumbent.beats.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostPortTest {
    @ParameterizedTest
    @ValueSource(strings = {"h1:7400", "127.0.0.1:0", "[::1]:7400", "a.b.example:65535"})
    void whatIsReadIsWrittenTheSame(String text) {
        assertThat(HostPort.of(text).toString()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":7400", "h1", "::1:7400", "h1:", "h1:-1", "h1:65536", "h1:x"})
    void whatIsNoneIsRefused(String text) {
        assertThatThrownBy(() -> HostPort.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @Test
    void aPortThatWasLeftOpenIsTheOneThatWasBound() {
        InetSocketAddress bound = new InetSocketAddress(4711);

        assertThat(HostPort.of("h1:0").withPortOf(bound)).isEqualTo(HostPort.of("h1:4711"));
        assertThat(HostPort.of("h1:7400").withPortOf(bound)).isEqualTo(HostPort.of("h1:7400"));
    }
}
