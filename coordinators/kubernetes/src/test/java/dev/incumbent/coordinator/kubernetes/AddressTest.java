package dev.incumbent.coordinator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressTest {
    private static Address address(String namespace, String context, String kubeconfig) {
        return new Address(some(namespace), some(context), some(kubeconfig));
    }

    private static Optional<String> some(String text) {
        return Optional.of(text).filter(it -> !it.isEmpty());
    }

    @Test
    void everyPartMayBeLeftOut() {
        assertThat(Address.of("kubernetes://")).isEqualTo(address("", "", ""));
        assertThat(Address.of("kubernetes:///")).isEqualTo(address("", "", ""));
        assertThat(Address.of("kubernetes:///apps")).isEqualTo(address("apps", "", ""));
        assertThat(Address.of("kubernetes:///?kubeconfig=/etc/k%26c")).isEqualTo(address("", "", "/etc/k&c"));
    }

    @Test
    void aContextIsWrittenAsItsToolNamesIt() {
        assertThat(Address.of("kubernetes:///apps?context=kubernetes-admin@prod"))
                .isEqualTo(address("apps", "kubernetes-admin@prod", ""));
        assertThat(Address.of("kubernetes:///?context=arn:aws:eks:eu-west-1:1:cluster/prod&kubeconfig=/k"))
                .isEqualTo(address("", "arn:aws:eks:eu-west-1:1:cluster/prod", "/k"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "kubernetes://host/apps | it names no host",
                "kubernetes://ada:hush@/apps | it names no host",
                "kubernetes://ada:hush@host/apps | it names no host",
                "kubernetes://ada:hu?hush@host/apps | '?' %3F",
                "kubernetes:///a/b | 'a/b' is no namespace",
                "kubernetes:///Apps | 'Apps' is no namespace",
                "kubernetes:///apps?context= | the parameter context has no value",
                "kubernetes:///apps?context=a&context=b | stands in it twice",
                "kubernetes:///apps?contxt=a | the parameter 'contxt' is unknown; known are context, kubeconfig",
                "kubernetes:///apps?token=hush | 'token' is unknown",
            })
    void whatIsNotUnderstoodIsRefusedInASentenceWithoutSecrets(String uri, String why) {
        assertThatThrownBy(() -> Address.of(uri))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining(why)
                .hasMessageEndingWith("; write kubernetes:///NAMESPACE")
                .message()
                .doesNotContain("hush");
    }
}
