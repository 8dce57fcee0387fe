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

    @Test
    void sentinelsHaveAMasterAndALoginOfTheirOwn() {
        RedisUri uri = RedisUri.parse(
                "rediss+sentinel://ada:p%3Aw@a,b:1/my-master/4?prefix=mine&sentinel-user=eve&sentinel-password=hu%26sh",
                Optional.empty());

        assertThat(uri.servers())
                .extracting(ServerAddress::toString)
                .containsExactly("rediss://a:26379/0", "rediss://b:1/0");
        assertThat(uri.servers().get(0).login().user()).contains("eve");
        assertThat(uri.servers().get(0).login().password()).contains("hu&sh");
        FollowedMaster master = uri.followed().orElseThrow();
        assertThat(master.name()).isEqualTo("my-master");
        assertThat(master.at("c", 2)).hasToString("rediss://c:2/4");
        assertThat(master.at("c", 2).login().user()).contains("ada");
        assertThat(master.at("c", 2).login().password()).contains("p:w");
        assertThat(uri.toString()).doesNotContain("hu&sh").doesNotContain("p:w");
    }

    @Test
    void sentinelsHaveTheirPasswordFromElsewhereAndNeverTheMasters() {
        var elsewhere = new RedisUri.Passwords(Optional.of("master's"), Optional.of("sentinels'"));
        RedisUri both = RedisUri.parse("redis+sentinel://a/m", elsewhere);
        RedisUri one = RedisUri.parse("redis+sentinel://u:master's@a/m", Optional.empty());

        assertThat(both.servers().get(0).login().password()).contains("sentinels'");
        assertThat(both.followed().orElseThrow().login().password()).contains("master's");
        assertThat(one.servers().get(0).login().password()).isEmpty();
        assertThat(elsewhere.toString()).doesNotContain("'");
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
                "redis+sentinel://u:SECRET@a,b | behind the sentinels stands the name of their master",
                "redis+sentinel://u:SECRET@a/m/x | is no database, which is a number",
                "redis+sentinel://u:SECRET@a,a:26379/m | a server stands in it twice",
                "redis+sentinel://a/m?sentinel-user=eve | sentinel-user needs a password",
                "redis+sentinel://a/m?sentinel-pasword=SECRET | the parameter 'sentinel-pasword' is unknown",
                "redis+sentinel://a/m?ca=/x.pem | which rediss+sentinel:// speaks",
                "redis://u:SECRET@h?sentinel-password=SECRET | the parameter 'sentinel-password' is unknown",
                "redis://u:SECRET@h?prefx=a | the parameter 'prefx' is unknown"
            })
    void whatNamesNoServerIsRefusedWithoutItsPassword(String uri, String why) {
        assertThatThrownBy(() -> RedisUri.parse(uri, Optional.empty()))
                .isInstanceOf(UriException.class)
                .hasMessageContaining(why)
                .hasMessageNotContaining("SECRET");
    }
}
