package dev.incumbent.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.wire.UriException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisUriTest {
    @Test
    void aUriTellsHostPortDatabasePrefixAndLogin() {
        RedisUri uri = RedisUri.parse("rediss://an%40a:p%3Aw@[::1]:7000/3?prefix=mine&ca=/x.pem", Optional.empty());

        ServerAddress server = uri.servers().get(0);
        assertThat(server.host()).isEqualTo("::1");
        assertThat(server.port()).isEqualTo(7000);
        assertThat(server.database()).isEqualTo(3);
        assertThat(server.login().user()).contains("an@a");
        assertThat(server.login().password()).contains("p:w");
        assertThat(server.login().tls()).isTrue();
        assertThat(uri.prefix()).isEqualTo("mine");
        assertThat(server.toString() + server.login() + uri).doesNotContain("p:w");
        assertThat(RedisUri.parse("redis://h", Optional.of("elsewhere"))
                        .servers()
                        .get(0)
                        .login()
                        .password())
                .contains("elsewhere");
    }

    @Test
    void whatIsNotSaidIsUsual() {
        RedisUri uri = RedisUri.parse("redis://h", Optional.of(""));

        ServerAddress server = uri.servers().get(0);
        assertThat(server).hasToString("redis://h:6379/0");
        assertThat(server.login().user()).isEmpty();
        assertThat(server.login().password()).isEmpty();
        assertThat(uri.prefix()).isEqualTo("incumbent");
    }

    @Test
    void redlockHasItsServersInTheirOrder() {
        assertThat(RedisUri.parse("redlocks://a,b:1,[::1]:2/4", Optional.empty())
                        .servers())
                .extracting(ServerAddress::toString)
                .containsExactly("rediss://a:6379/4", "rediss://b:1/4", "rediss://[::1]:2/4");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://h | it is no Redis",
                "redis://u:SECRET@h/1234567 | is no database",
                "redis://u:SECRET@h1,h2,h3 | one server stands in redis://",
                "redlock://u:SECRET@h | 3 at least; these are 1",
                "redlock://u:SECRET@a,b,c,d | 3 at least; these are 4",
                "redlock://u:SECRET@a,b,a:6379 | a server stands in it twice",
                "redis://h?ca=/x.pem | ca names an authority for TLS, which rediss:// speaks",
                "redis://u:SECRET@h?prefix={a} | a prefix has 1 to 64",
                "redis://u:SECRET@h?prefx=a | the parameter 'prefx' is unknown"
            })
    void whatNamesNoServerIsRefusedWithoutItsPassword(String uri, String why) {
        assertThatThrownBy(() -> RedisUri.parse(uri, Optional.empty()))
                .isInstanceOf(UriException.class)
                .hasMessageContaining(why)
                .hasMessageNotContaining("SECRET");
    }
}
