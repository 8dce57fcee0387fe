package dev.incumbent.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SinksTest {
    private static final List<String> ASKED = new ArrayList<>();

    @BeforeEach
    void nothingWasAsked() {
        ASKED.clear();
    }

    @Test
    void theProviderThatKnowsAUrlOpensIt() {
        assertThat(Sinks.open("disk:a").label()).isEqualTo("disk:a");
        assertThat(Sinks.open("tape:b", Duration.ofSeconds(1)).label()).isEqualTo("tape:b");

        assertThat(ASKED).containsExactly("disk opens disk:a within PT5S", "tape opens tape:b within PT1S");
    }

    @Test
    void theProviderThatKnowsAUrlInstallsIt() {
        Sinks.install("tape:b");

        assertThat(ASKED).containsExactly("tape installs tape:b");
    }

    @Test
    void aUrlThatNobodyKnowsIsRefusedWithThoseThatAreKnownAndWithoutItsSecrets() {
        assertThatThrownBy(() -> Sinks.open("dsik://me:secret@h/a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "no sink on the class path opens a URL that begins with 'dsik:'; known URLs begin with disk, tape");
    }

    @Test
    @Tag("field")
    void whereTheContextSeesNoneThoseBesideTheLibraryServe() throws Exception {
        within(ClassLoader.getPlatformClassLoader(), () -> {
            assertThat(Sinks.open("disk:a").label()).isEqualTo("disk:a");
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
                            "no sink on the class path opens a URL that begins with 'disk:'; known URLs begin with nothing");
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
        return library.loadClass(Sinks.class.getName())
                .getMethod("open", String.class)
                .invoke(null, "disk:a");
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

    @Test
    void aSinkThatEndsNoTransactionsRaisesForEveryLengthOfLeaseAlike() {
        Mark mark = new Mark(new FencingToken(7), MarkOwner.ofCandidate(new CandidateId("a")));

        CompletionStage<Raise> raise =
                new Labelled("disk:a").raise(new ElectionName("billing"), mark, Duration.ofSeconds(6));

        assertThat(raise).isCompletedWithValue(new Raise.Raised(mark));
        assertThat(ASKED).containsExactly("disk:a raises billing to " + mark);
    }

    /** Opens URLs that begin with {@code disk:}. */
    public static class OfDisks implements SinkProvider {
        private final String kind;

        public OfDisks() {
            this("disk");
        }

        OfDisks(String kind) {
            this.kind = kind;
        }

        @Override
        public boolean opens(String url) {
            return url.startsWith(kind + ":");
        }

        @Override
        public Set<String> schemes() {
            return Set.of(kind);
        }

        @Override
        public Sink open(String url, Duration bound) {
            ASKED.add(kind + " opens " + url + " within " + bound);
            return new Labelled(url);
        }

        @Override
        public void install(String url) {
            ASKED.add(kind + " installs " + url);
        }

        @Override
        public void guard(String url, String table, ElectionName election) {}
    }

    /** Opens URLs that begin with {@code tape:}. */
    public static final class OfTapes extends OfDisks {
        public OfTapes() {
            super("tape");
        }
    }

    private record Labelled(String label) implements Sink {
        @Override
        public CompletionStage<SinkId> id() {
            return CompletableFuture.completedStage(new SinkId(label));
        }

        @Override
        public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
            ASKED.add(label + " raises " + election + " to " + mark);
            return CompletableFuture.completedStage(new Raise.Raised(mark));
        }

        @Override
        public CompletionStage<MarksRead> marks(Set<ElectionName> elections) {
            return marks();
        }

        @Override
        public CompletionStage<MarksRead> marks() {
            return CompletableFuture.completedStage(MarksRead.of(Map.of()));
        }

        @Override
        public void close() {}
    }
}
