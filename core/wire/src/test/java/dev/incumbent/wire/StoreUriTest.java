package dev.incumbent.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreUriTest {
    private static final String SECRET = "SeCrEt";
    private static final List<String> AROUND = List.of(
            "", "a", "/", "?", "@", "#", "%", "=", "&", ":", "//", "?a=", "&token=", "%2F", "@h", "/?", "?@", "@/",
            ";x=");

    @Test
    void isTakenApart() {
        StoreUri uri = StoreUri.parse("etcd://me:p%40ss@h1:1,h2,[fe80::1]:3/a/b%20c?tls=true&ca=%2Fx%2By+z");

        assertThat(uri.scheme()).isEqualTo("etcd");
        assertThat(uri.user()).contains("me");
        assertThat(uri.password()).contains("p@ss");
        assertThat(uri.hosts(9))
                .containsExactly(
                        new StoreUri.HostAndPort("h1", 1),
                        new StoreUri.HostAndPort("h2", 9),
                        new StoreUri.HostAndPort("fe80::1", 3));
        assertThat(uri.path()).isEqualTo("/a/b c");
        assertThat(uri.parameters().take("ca")).contains("/x+y+z");
        assertThat(uri.parameters().takeFlag("tls")).contains(true);
        uri.parameters().refuseOthers();
        assertThat(uri).hasToString("etcd://h1:1,h2,[fe80::1]:3/a/b c");
        assertThat(uri.hosts(9).toString()).isEqualTo("[h1:1, h2:9, [fe80::1]:3]");
    }

    @Test
    void allButTheHostMayBeAbsent() {
        StoreUri uri = StoreUri.parse("zk://h");

        assertThat(uri.user()).isEmpty();
        assertThat(uri.password()).isEmpty();
        assertThat(uri.path()).isEmpty();
        assertThat(uri.hosts(2181)).containsExactly(new StoreUri.HostAndPort("h", 2181));
        assertThat(uri.parameters().take("x")).isEmpty();
        assertThat(StoreUri.parse("redis://:pw@h").user()).isEmpty();
        assertThat(StoreUri.parse("redis://:pw@h").password()).contains("pw");
        assertThat(StoreUri.parse("redis://me:@h").password()).contains("");
        assertThat(StoreUri.parse("redis://me@h").password()).isEmpty();
        assertThat(StoreUri.parse("redis://me:a@b@h").password())
                .as("the last @ ends it")
                .contains("a@b");
    }

    @Test
    void aSchemeOfOneLetterIsOne() {
        assertThat(StoreUri.parse("z://h").scheme()).isEqualTo("z");
    }

    @Test
    void whereNoAuthorityIsSaidPathAndParametersAre() {
        StoreUri path = StoreUri.parse("sqlite:///a/b");
        StoreUri parameters = StoreUri.parse("etcd://?tls=true");

        assertThat(path.authority()).isEmpty();
        assertThat(path.path()).isEqualTo("/a/b");
        assertThat(parameters.authority()).isEmpty();
        assertThat(parameters.parameters().takeFlag("tls")).contains(true);
    }

    @Test
    void authorityAndPlaceAreAsTheyAreWrittenWithoutUserAndParameters() {
        StoreUri uri = StoreUri.parse("etcd://me:pw@h1:1,h2/a%20b?tls=true");

        assertThat(uri.authority()).isEqualTo("h1:1,h2");
        assertThat(uri.place()).isEqualTo("h1:1,h2/a%20b");
    }

    @Test
    void theFirstPortAndTheLastAreTaken() {
        assertThat(StoreUri.parse("etcd://h:1,h:65535").hosts(9))
                .containsExactly(new StoreUri.HostAndPort("h", 1), new StoreUri.HostAndPort("h", 65_535));
    }

    @Test
    void anAddressMayBeginOrEndWithColons() {
        List<StoreUri.HostAndPort> hosts =
                StoreUri.parse("etcd://[::1]:3,[fe80::]:4").hosts(9);

        assertThat(hosts).containsExactly(new StoreUri.HostAndPort("::1", 3), new StoreUri.HostAndPort("fe80::", 4));
        assertThat(hosts.toString()).isEqualTo("[[::1]:3, [fe80::]:4]");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "etcd://, '' is no HOST:PORT",
                "etcd:///p, '' is no HOST:PORT",
                "\"etcd://h1,,h2\", '' is no HOST:PORT",
                "etcd://h:, 'h:' is no HOST:PORT",
                "etcd://h:0, 'h:0' is no HOST:PORT",
                "etcd://h:65536, 'h:65536' is no HOST:PORT",
                "etcd://h:1:2, 'h:1:2' is no HOST:PORT",
                "etcd://h_o-s.t!, 'h_o-s.t!' is no HOST:PORT",
                "etcd://[::1, '[::1' is no HOST:PORT",
                "etcd://[::1]x:1, '[::1]x:1' is no HOST:PORT"
            })
    void aHostThatIsNoneIsNamed(String uri, String why) {
        assertThatExceptionOfType(UriException.class)
                .isThrownBy(() -> StoreUri.parse(uri).hosts(1))
                .withMessageEndingWith(" is not understood: " + why);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            commentCharacter = ';',
            value = {
                "h:1/p, 'h:1/p' is no URI such as SCHEME://HOST:PORT/PATH",
                "://h, '://h' is no URI such as SCHEME://HOST:PORT/PATH",
                "etcd://h/p?tls, etcd://h/p is not understood: after the '?' stand parameters",
                "etcd://h/p?=a, etcd://h/p is not understood: after the '?' stand parameters",
                "etcd://h/p?a=1&, etcd://h/p is not understood: after the '?' stand parameters",
                "etcd://h/p?a=1&a=2, the parameter 'a' stands in it twice",
                "etcd://h/p?a=%zz, the parameter 'a' has a '%' that begins no escape; write %25",
                "etcd://h/%zz, a '%' in it begins no escape",
                "etcd://h/p#x, \"%23, '@' %40\"",
                "#://h, \"%23, '@' %40\"",
                "etcd://h/p?x=@q, \"%23, '@' %40\"",
                "etcd://h/p@q, \"%23, '@' %40\""
            })
    void whatIsMalformedIsRefusedAtOnce(String uri, String why) {
        assertThatExceptionOfType(UriException.class)
                .isThrownBy(() -> StoreUri.parse(uri))
                .withMessageContaining(why);
    }

    @Test
    void whatIsUnknownIsRefusedWithWhatIsKnown() {
        Parameters parameters = StoreUri.parse("etcd://h/p?cacert=x&tsl=true").parameters();
        assertThat(parameters.take("tls")).isEmpty();
        assertThat(parameters.take("cacert")).contains("x");

        assertThatExceptionOfType(UriException.class)
                .isThrownBy(parameters::refuseOthers)
                .withMessage("etcd://h/p is not understood: the parameter 'tsl' is unknown; known are tls, cacert");
        assertThatExceptionOfType(UriException.class)
                .isThrownBy(() -> StoreUri.parse("etcd://h?a b=x").parameters().refuseOthers())
                .withMessage("etcd://h is not understood: the parameter that is no name is unknown; there are none");
    }

    @Test
    void whoTakesAllParametersKnowsThemAll() {
        Parameters parameters = StoreUri.parse("etcd://h/p?b=2&a=%2F").parameters();

        assertThat(parameters.takeAll()).containsExactly(entry("a", "/"), entry("b", "2"));
        parameters.refuseOthers();
    }

    @ParameterizedTest
    @CsvSource({"True", "1", "yes", "TRUE", "tru", "' true'"})
    void whatIsNeitherTrueNorFalseIsRefused(String value) {
        Parameters parameters = StoreUri.parse("etcd://h?tls=" + value).parameters();

        assertThatExceptionOfType(UriException.class)
                .isThrownBy(() -> parameters.takeFlag("tls"))
                .withMessage("etcd://h is not understood: the parameter tls is true or false, and not '" + value + "'");
    }

    @Test
    void flagsAreTrueFalseOrAbsentAndNoValueIsEmpty() {
        Parameters parameters = StoreUri.parse("etcd://h?a=true&b=false&d=").parameters();

        assertThat(parameters.takeFlag("a")).isEqualTo(Optional.of(true));
        assertThat(parameters.takeFlag("b")).isEqualTo(Optional.of(false));
        assertThat(parameters.takeFlag("c")).isEmpty();
        assertThatExceptionOfType(UriException.class)
                .isThrownBy(() -> parameters.take("d"))
                .withMessage("etcd://h is not understood: the parameter d has no value");
        assertThatExceptionOfType(UriException.class)
                .isThrownBy(() -> StoreUri.parse("etcd://h?tls=").parameters().takeFlag("tls"));
    }

    @Test
    void aFailureOfWhoReadsItNamesIt() {
        assertThat(StoreUri.parse("etcd://me:pw@h/p?tls=true").refused("no"))
                .hasMessage("etcd://h/p is not understood: no");
    }

    /** Passwords of every kind, escaped or not: they are understood, or refused without being shown. */
    @Test
    void noPasswordIsEverShown() {
        int understood = 0;
        for (String before : AROUND) {
            for (String after : AROUND) {
                String password = before + SECRET + after;
                for (String rest : List.of("", "/p", "/p?tls=true", "?tls=true&ca=x")) {
                    String uri = "etcd://me:" + password + "@h:1" + rest;
                    assertThat(Redaction.of(uri)).as(uri).doesNotContain(SECRET);
                    understood += isUnderstood(uri) ? 1 : 0;
                }
            }
        }
        assertThat(understood).isEqualTo(400);
    }

    private static boolean isUnderstood(String text) {
        try {
            StoreUri uri = StoreUri.parse(text);
            uri.parameters().take("tls");
            uri.parameters().take("ca");
            uri.parameters().refuseOthers();
            assertThat(uri.toString() + uri.hosts(1)).as(text).doesNotContain(SECRET);
            assertThat(uri.password())
                    .as(text)
                    .hasValueSatisfying(it -> assertThat(it).contains(SECRET));
            return true;
        } catch (UriException refused) {
            assertThat(refused.getMessage()).as(text).doesNotContain(SECRET);
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://me:hidden@db/x?user=me&password=hidden, jdbc:postgresql://***@db/x?user=me&password=***",
        "consul://h/p?token=abc&tls=true, consul://h/p?token=***&tls=true",
        "jdbc:h2:file:/a/b;USER=sa;PASSWORD=x, jdbc:h2:file:/a/b;USER=sa;PASSWORD=***",
        "etcd://h1:1/p, etcd://h1:1/p",
        "file:/a/b, file:/a/b",
        "postgresql://h/db?options=a@b, postgresql://***",
        "zk://h/p?user=u&password=p@ss, zk://***",
        "postgresql://me:hid?den@h/db, postgresql://***",
        "postgresql://me:hid/den@h/db, postgresql://***@h/db",
        "file:/a/b@c.db, file:/a/b@c.db",
        "//me:hidden@h/db, //***@h/db",
        "?//me:hidden@h/db, ?//***",
        "redis://h?sslKeyStorePassword=x;a=b, redis://h?sslKeyStorePassword=***;a=b"
    })
    void whatIsShownOfAUri(String uri, String shown) {
        assertThat(Redaction.of(uri)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "file:/a/b.db | file:/a/b.db",
                "etcd://h1:1,h2:2/p?tls=true&key=/k.pem | etcd://h1:1,h2:2/p?tls=true&key=/k.pem",
                "postgresql://ada:hid:d@h/db?sslmode=require | postgresql://ada@h/db?sslmode=require",
                "postgresql://ada:hid@den@h/db | postgresql://ada@h/db",
                "redis://:hidden@h | redis://h",
                "postgresql://ada@h/db | postgresql://ada@h/db",
                "zk://h/x?user=u&password=hidden | zk://h/x?user=u",
                "zk://h/x?password=hidden&user=u | zk://h/x?user=u",
                "consul://h/p?token=hidden | consul://h/p",
                "consul://h/p?tls=true&Token=hidden&ca-file=/c | consul://h/p?tls=true&ca-file=/c",
                "quorum://h:1?token-file=/t | quorum://h:1?token-file=/t",
                "jdbc:h2:file:/a;USER=sa;PASSWORD=hidden;X=1 | jdbc:h2:file:/a;USER=sa;X=1",
                "jdbc:h2:file:/a;PASSWORD=hidden | jdbc:h2:file:/a",
                "jdbc:h2:file:/a;;X=1&&Y=2; | jdbc:h2:file:/a;;X=1&&Y=2;"
            })
    void aUriWithoutItsSecretsCanStillBeOpened(String uri, String left) {
        assertThat(Redaction.withoutSecrets(uri)).isEqualTo(left);
    }
}
