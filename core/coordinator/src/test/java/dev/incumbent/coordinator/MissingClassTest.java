package dev.incumbent.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class MissingClassTest {
    private final NoClassDefFoundError missing = new NoClassDefFoundError("org/postgresql/Driver");

    @Test
    void aMissingClassIsToldWhereverItIsBehindAFailure() {
        CoordinatorException suppressing = new CoordinatorException("the file failed", true);
        suppressing.addSuppressed(missing);

        for (Throwable failure : new Throwable[] {
            missing, new CompletionException(missing), new CoordinatorException("it failed", true, missing), suppressing
        }) {
            assertThat(MissingClass.behind(failure))
                    .as(failure.toString())
                    .hasValueSatisfying(told -> assertThat(told)
                            .hasMessage(
                                    "the coordinator cannot be used: its code does not find all that it needs on the"
                                            + " class path (java.lang.NoClassDefFoundError: org/postgresql/Driver); add"
                                            + " the library that is named there, in the version that this coordinator was"
                                            + " built with")
                            .hasCause(missing));
        }
    }

    @Test
    void anOtherVersionOfALibraryIsToldTheSame() {
        assertThat(MissingClass.behind(new NoSuchMethodError("Driver.connect()"))
                        .orElseThrow())
                .hasMessageContaining("(java.lang.NoSuchMethodError: Driver.connect())");
    }

    @Test
    void whatFailsOtherwiseHasNoMissingClassBehindIt() {
        assertThat(MissingClass.behind(new CoordinatorException("no answer", true, new OutOfMemoryError("heap"))))
                .isEmpty();
    }
}
