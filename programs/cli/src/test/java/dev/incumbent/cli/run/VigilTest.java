package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.CoordinatorException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

final class VigilTest {
    private final List<String> told = new ArrayList<>();
    private final Vigil vigil = new Vigil((Vigil.Told) Proxy.newProxyInstance(
            Vigil.class.getClassLoader(), new Class<?>[] {Vigil.Told.class}, (self, what, with) -> {
                told.add(what.getName() + " " + with[0]);
                return null;
            }));

    @Test
    void aFailureThatMustBeExpectedIsToldInItsOwnWords() {
        CoordinatorException silent = new CoordinatorException("no answer within 500 ms", true);

        vigil.failed("withdrawing a from job", silent);
        vigil.failed("withdrawing a from job", new CompletionException(silent));

        assertThat(told)
                .containsOnly("failure withdrawing a from job: no answer within 500 ms")
                .hasSize(2);
    }

    @Test
    void aBugIsToldAsSuch() {
        vigil.failed("stepping job", new IllegalStateException("odd"));

        assertThat(told).containsExactly("failure stepping job: internal error: java.lang.IllegalStateException: odd");
    }
}
