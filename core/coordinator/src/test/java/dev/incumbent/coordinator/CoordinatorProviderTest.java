package dev.incumbent.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CoordinatorProviderTest {
    @Test
    void theProviderWhoseSchemeAUriBeginsWithOpensIt() {
        assertThat(CoordinatorProvider.of("file:/var/lib/x.db")).isInstanceOf(OfFiles.class);
        assertThat(CoordinatorProvider.of("jdbc:h2:mem:x")).isInstanceOf(OfH2.class);
    }

    @Test
    void aSchemeIsAllThatStandsBeforeItsColon() {
        assertThat(new OfFiles().opens("file:x")).isTrue();
        assertThat(new OfFiles().opens("files:x")).isFalse();
        assertThat(new OfFiles().opens("file")).isFalse();
        assertThat(new OfH2().opens("jdbc:postgresql:x")).isFalse();
    }

    @Test
    void aUriOfNoKnownSchemeIsRefusedWithTheSchemesThatAreKnownAndWithoutItsSecrets() {
        assertThatThrownBy(() -> CoordinatorProvider.of("ectd://root:secret@h:2379"))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessage(
                        "no coordinator on the class path opens a URI that begins with 'ectd:'; known schemes are file, jdbc:h2");
    }

    @Test
    void whereNoneIsOnTheClassPathThatIsSaid() {
        Thread thread = Thread.currentThread();
        ClassLoader usual = thread.getContextClassLoader();
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try {
            assertThatThrownBy(() -> CoordinatorProvider.of("file:x")).hasMessageEndingWith("known schemes are none");
        } finally {
            thread.setContextClassLoader(usual);
        }
    }

    /** Opens nothing. */
    public static class OfFiles implements CoordinatorProvider {
        @Override
        public Set<String> schemes() {
            return Set.of("file");
        }

        @Override
        public Coordinator open(String at, Timeline timeline, Duration requestTimeout, Mode mode) {
            throw new CoordinatorUnusableException("not here");
        }
    }

    /** Opens nothing either. */
    public static class OfH2 extends OfFiles {
        @Override
        public Set<String> schemes() {
            return Set.of("jdbc:h2");
        }
    }
}
