package dev.incumbent.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a URI of an etcd says, and what etcdctl's variables add. */
class EtcdAddressTest {
    private static final Map<String, String> NOTHING = Map.of();

    @Test
    void namesMembersAndAPrefix() {
        EtcdAddress address = EtcdAddress.parse("etcd://h1:1,h2,[::1]:3/apps/billing", NOTHING);

        assertThat(address.endpoints())
                .containsExactly(
                        new EtcdAddress.Endpoint("h1", 1),
                        new EtcdAddress.Endpoint("h2", 2379),
                        new EtcdAddress.Endpoint("::1", 3));
        assertThat(address.prefix()).isEqualTo("/apps/billing/");
        assertThat(address.login()).isEmpty();
        assertThat(address.tls()).isEmpty();
        assertThat(address).hasToString("etcd://h1:1,h2:2379,[::1]:3/apps/billing");
        assertThat(EtcdAddress.parse("etcd://h", NOTHING).prefix()).isEqualTo("/incumbent/");
        assertThat(EtcdAddress.parse("etcd://h/", NOTHING).prefix()).isEqualTo("/incumbent/");
    }

    @Test
    void whoAsksIsTakenFromTheUriOrTheEnvironment() {
        Map<String, String> variables = Map.of("ETCDCTL_USER", "eve", "ETCDCTL_PASSWORD", "a:b%2F");

        assertThat(login("etcd://ada:se%3Acr%2Fet@h", variables)).contains(new EtcdAddress.Login("ada", "se:cr/et"));
        assertThat(login("etcd://ada@h", variables)).contains(new EtcdAddress.Login("ada", "a:b%2F"));
        assertThat(login("etcd://h", variables)).contains(new EtcdAddress.Login("eve", "a:b%2F"));
        assertThat(login("etcd://h", Map.of("ETCDCTL_USER", "eve:x:y"))).contains(new EtcdAddress.Login("eve", "x:y"));
        assertThat(login("etcd://ada:secret@h", NOTHING).orElseThrow()).hasToString("ada");
    }

    private static Optional<EtcdAddress.Login> login(String uri, Map<String, String> environment) {
        return EtcdAddress.parse(uri, environment).login();
    }

    @Test
    void certificatesThatAreNamedMeanTls() {
        assertThat(tls("etcd://h?tls=true", NOTHING)).contains(EtcdAddress.TlsFiles.NONE);
        assertThat(tls("etcd://h?tls=false", NOTHING)).isEmpty();
        assertThat(tls("etcd://h?cacert=/ca", NOTHING)).contains(files("/ca", "", ""));
        assertThat(tls("etcd://h?cert=/c&key=/k", NOTHING))
                .as("by the authorities of the JDK")
                .contains(files("", "/c", "/k"));
        assertThat(tls("etcd://h", Map.of("ETCDCTL_CERT", "/c", "ETCDCTL_KEY", "/k")))
                .contains(files("", "/c", "/k"));
        assertThat(tls("etcd://h", Map.of("ETCDCTL_CACERT", "/ca"))).contains(files("/ca", "", ""));
        assertThat(tls("etcd://h?cacert=/mine", Map.of("ETCDCTL_CACERT", "/ca")))
                .contains(files("/mine", "", ""));
        assertThat(tls("etcd://h?tls=false", Map.of("ETCDCTL_CACERT", "/ca"))).isEmpty();
        assertThat(tls("etcd://h", Map.of("ETCDCTL_CACERT", ""))).isEmpty();
    }

    private static Optional<EtcdAddress.TlsFiles> tls(String uri, Map<String, String> environment) {
        return EtcdAddress.parse(uri, environment).tls();
    }

    private static EtcdAddress.TlsFiles files(String authorities, String certificate, String key) {
        List<Optional<String>> named = List.of(authorities, certificate, key).stream()
                .map(file -> Optional.of(file).filter(name -> !name.isEmpty()))
                .toList();
        return new EtcdAddress.TlsFiles(named.get(0), named.get(1), named.get(2));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "http://h, it is no etcd's",
                "etcd:h, is no URI such as",
                "etcd://h?tls=True, the parameter tls is true or false",
                "etcd://h?tls=1, the parameter tls is true or false",
                "etcd://h?tls, after the '?' stand parameters",
                "etcd://h?cacert=, the parameter cacert has no value",
                "etcd://h?cert=/c, a client's certificate needs both cert and key",
                "etcd://h?key=/k, a client's certificate needs both cert and key",
                "etcd://h?tls=false&cacert=/ca, \"it names certificates, and tls=false\"",
                "etcd://h?tls=false&cert=/c&key=/k, \"it names certificates, and tls=false\"",
                "etcd://h?cacrt=/ca, \"'cacrt' is unknown; known are tls, cacert, cert, key\"",
                "etcd://ada:SeCrEt/x@h, '@' %40",
                "etcd://h/a//b, is no prefix for keys in etcd",
                "etcd://h/a b, is no prefix for keys in etcd"
            })
    void whatIsNotUnderstoodIsRefusedAndNeverPlainText(String uri, String why) {
        assertThatThrownBy(() -> EtcdAddress.parse(uri, NOTHING))
                .isInstanceOfSatisfying(
                        EtcdException.class,
                        refused -> assertThat(refused.kind()).isEqualTo(EtcdException.Kind.UNUSABLE))
                .hasMessageContaining(why)
                .hasMessageEndingWith("; write etcd://HOST:PORT[,HOST:PORT]/PREFIX")
                .hasMessageNotContaining("SeCrEt");
    }
}
