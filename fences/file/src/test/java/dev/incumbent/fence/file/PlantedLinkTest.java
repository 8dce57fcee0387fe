package dev.incumbent.fence.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever may make links in the folder does not have a file elsewhere written, nor its rights changed. */
final class PlantedLinkTest {
    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final ElectionName BILLING = new ElectionName("billing");

    @TempDir
    private Path folder;

    @TempDir
    private Path elsewhere;

    private Path ledger;
    private Path victim;
    private Sink sink;

    @BeforeEach
    void raise() throws Exception {
        ledger = Files.writeString(folder.resolve("ledger.txt"), "before");
        Files.setPosixFilePermissions(ledger, PosixFilePermissions.fromString("rw-rw-rw-"));
        victim = Files.writeString(elsewhere.resolve("victim"), "another's");
        Files.setPosixFilePermissions(victim, PosixFilePermissions.fromString("rw-------"));
        String url = "filefence:" + ledger;
        new FileSinkProvider().install(url);
        sink = new FileSinkProvider().open(url, BOUND);
        raised(7);
    }

    @AfterEach
    void theVictimIsAsItWas() throws Exception {
        sink.close();
        assertThat(victim).hasContent("another's");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(victim)))
                .isEqualTo("rw-------");
    }

    @Test
    void aLinkPlantedInTheNextVersionsPlaceIsNotFollowed() throws Exception {
        plant("ledger.txt.next");
        plant("ledger.txt.fence.next");

        admitted().replace("after".getBytes(StandardCharsets.UTF_8)).commit();
        raised(8);

        assertThat(ledger).hasContent("after");
        for (String replaced : List.of("ledger.txt", "ledger.txt.fence")) {
            assertThat(Files.isRegularFile(folder.resolve(replaced), LinkOption.NOFOLLOW_LINKS))
                    .as(replaced)
                    .isTrue();
        }
        assertThat(sink.marks().toCompletableFuture().get().marks()).isEqualTo(Map.of(BILLING, mark(8)));
    }

    @Test
    void aLockFileThatIsALinkIsRefused() throws Exception {
        plant("ledger.txt.fence-lock");

        assertThatThrownBy(() -> append("late"))
                .isInstanceOf(IOException.class)
                .hasMessage(folder.toRealPath().resolve("ledger.txt.fence-lock")
                        + " is a link, and no link is followed in its place: remove it");
        assertThatThrownBy(() -> raised(8))
                .hasCauseInstanceOf(SinkException.class)
                .hasMessageContaining("ledger.txt.fence-lock is a link");

        Files.delete(folder.resolve("ledger.txt.fence-lock"));
        append(" after");
        assertThat(ledger).hasContent("before after");
    }

    @Test
    void marksBehindALinkAreNone() throws Exception {
        Path marks = folder.resolve("ledger.txt.fence");
        Path moved = Files.move(marks, elsewhere.resolve("marks"));
        Files.createSymbolicLink(marks, moved);

        assertThatThrownBy(() -> append("late"))
                .isInstanceOf(NotAdmittedException.class)
                .hasMessageContaining("ledger.txt.fence is a link, and no link is followed in its place");
        assertThatThrownBy(() -> raised(8)).hasCauseInstanceOf(SinkException.class);
        assertThat(ledger).hasContent("before");
    }

    @Test
    void aLinkInTheFilesOwnPlaceIsNotWrittenThrough() throws Exception {
        FencedFile opened = FencedFile.at(ledger, BOUND);
        Files.delete(ledger);
        plant("ledger.txt");

        FileWrite append = opened.begin();
        append.admit(BILLING, new FencingToken(7));
        FileWrite replace = opened.begin();
        replace.admit(BILLING, new FencingToken(7));

        assertThatThrownBy(append.append(new byte[1])::commit)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is a link");
        assertThatThrownBy(replace.replace(new byte[1])::commit)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is a link");
    }

    /** Its fence would lie beside the link, and as soon as the file is there, beside the file. */
    @Test
    void aLinkToAFileThatIsNotThereIsRefused() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), elsewhere.resolve("none"));

        assertThatThrownBy(() -> FencedFile.at(link, BOUND))
                .isInstanceOf(SinkException.class)
                .hasMessage("filefence:" + link + " is a link to a file that is not there");
    }

    private void plant(String name) throws IOException {
        Path place = folder.resolve(name);
        Files.deleteIfExists(place);
        Files.createSymbolicLink(place, victim);
    }

    private void raised(long token) throws Exception {
        sink.raise(BILLING, mark(token)).toCompletableFuture().get();
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.parse("candidate:ada@host-1-x"));
    }

    private FileWrite admitted() throws FenceException {
        FileWrite write = FencedFile.at(ledger, BOUND).begin();
        write.admit(BILLING, new FencingToken(7));
        return write;
    }

    private void append(String text) throws IOException, FenceException {
        admitted().append(text.getBytes(StandardCharsets.UTF_8)).commit();
    }
}
