package dev.incumbent.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.time.Timeline;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
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
    @Tag("field")
    void whereTheContextSeesNoneThoseBesideTheLibraryServe() throws Exception {
        within(ClassLoader.getPlatformClassLoader(), () -> {
            assertThat(CoordinatorProvider.of("file:x")).isInstanceOf(OfFiles.class);
            return "";
        });
    }

    @Test
    @Tag("field")
    void whereTheLibrarySeesNoneThoseOfTheContextServe() throws Exception {
        try (URLClassLoader library = new URLClassLoader(classPath(false), ClassLoader.getPlatformClassLoader());
                URLClassLoader application = new URLClassLoader(classPath(true), library)) {
            within(application, () -> opened(library));

            assertThatThrownBy(() -> within(ClassLoader.getPlatformClassLoader(), () -> opened(library)))
                    .hasRootCauseMessage(
                            "no coordinator on the class path opens a URI that begins with 'file:'; known schemes are none");
        }
    }

    /** Of the library, or of its tests, which have the providers. */
    private static URL[] classPath(boolean ofTests) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (entry.endsWith("test-classes") == ofTests) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        return urls.toArray(new URL[0]);
    }

    private static Object opened(ClassLoader library) throws Exception {
        return library.loadClass(CoordinatorProvider.class.getName())
                .getMethod("of", String.class)
                .invoke(null, "file:x");
    }

    private static <T> T within(ClassLoader context, Callable<T> action) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader usual = thread.getContextClassLoader();
        thread.setContextClassLoader(context);
        try {
            return action.call();
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
