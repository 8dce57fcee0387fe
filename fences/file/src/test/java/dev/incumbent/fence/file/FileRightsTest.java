package dev.incumbent.fence.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which permissions are enough, for whom, as the page of the sink says: a process of another user gets these, and then one less. Only root can start one. */
final class FileRightsTest {
    private static final int USER = 12_345;
    private static final ElectionName BILLING = new ElectionName("billing");

    @TempDir
    private Path folder;

    private Path ledger;
    private Path lock;
    private Path marks;

    @BeforeEach
    void install() throws Exception {
        assumeThat(Files.getAttribute(folder, "unix:uid")).isEqualTo(0);
        ledger = Files.writeString(folder.resolve("ledger.txt"), "before ");
        lock = folder.resolve("ledger.txt.fence-lock");
        marks = folder.resolve("ledger.txt.fence");
        String url = "filefence:" + ledger;
        new FileSinkProvider().install(url);
        try (Sink sink = new FileSinkProvider().open(url, Duration.ofSeconds(20))) {
            sink.raise(BILLING, new Mark(new FencingToken(7), MarkOwner.ofOperator("me")))
                    .toCompletableFuture()
                    .get();
        }
        allow("rwxr-xr-x", folder);
        allow("rw-r--r--", ledger, lock, marks);
    }

    @Test
    void whoAppendsWritesTheFileAndTheLockAndReadsTheMarks() throws Exception {
        allow("rwx--x--x", folder);
        allow("rw--w--w-", ledger, lock);
        assertThat(said("append")).isEqualTo("committed\n");
        assertThat(ledger).hasContent("before written");

        allow("rw-r--r--", ledger);
        assertDenied("append", ledger);
        allow("rw-rw-rw-", ledger);
        allow("rw-r--r--", lock);
        assertDenied("append", lock);
        allow("rw-rw-rw-", lock);
        allow("rw-------", marks);
        assertDenied("append", marks);
        assertThat(ledger).hasContent("before written");
    }

    @Test
    void whoMakesTheFileWritesTheFolderToo() throws Exception {
        Files.delete(ledger);
        allow("rw--w--w-", lock);
        assertDenied("append", ledger);

        allow("rwxrwxrwx", folder);
        assertThat(said("append")).isEqualTo("committed\n");
        assertThat(ledger).hasContent("written");
    }

    @Test
    void whoReplacesOwnsTheFileAndWritesTheFolderAndTheLock() throws Exception {
        own(ledger);
        allow("r--------", ledger);
        allow("rw--w--w-", lock);
        assertDenied("replace", folder.resolve("ledger.txt.next"));
        allow("rwxrwxrwx", folder);
        assertThat(said("replace")).isEqualTo("committed\n");
        assertThat(ledger).hasContent("written");

        allow("rw-r--r--", lock);
        assertDenied("replace", lock);
    }

    @Test
    void whoRaisesOwnsTheMarksAndWritesTheFolderAndTheLock() throws Exception {
        allow("rwxrwxrwx", folder);
        allow("rw--w--w-", lock);
        assertThat(said("raise")).contains("this process may not give its next version to group 0");
        own(marks);
        allow("rwxr-xr-x", folder);
        assertDenied("raise", folder.resolve("ledger.txt.fence.next"));
        allow("rwxrwxrwx", folder);
        allow("rw-r--r--", lock);
        assertDenied("raise", lock);

        allow("rw--w--w-", lock);
        assertThat(said("raise")).startsWith("Raised[");
    }

    @Test
    void whoInstallsWritesTheFolder() throws Exception {
        Files.delete(lock);
        Files.delete(marks);
        assertDenied("install", lock);

        allow("rwxrwxrwx", folder);
        assertThat(said("install")).isEqualTo("installed\n");
        assertThat(said("look")).isEqualTo("{}\n");
    }

    @Test
    void whoLooksWritesTheLockAndReadsTheMarks() throws Exception {
        allow("rw--w--w-", lock);
        assertThat(said("look")).contains("billing=");

        allow("rw-------", marks);
        assertDenied("look", marks);
        allow("rw-r--r--", lock, marks);
        assertDenied("look", lock);
    }

    private void assertDenied(String how, Path which) throws Exception {
        assertThat(said(how)).contains("AccessDenied").contains(which.getFileName() + "\n");
    }

    private String said(String how) throws IOException {
        Process another =
                OneWrite.start(ledger, how, "setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups");
        return new String(another.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static void own(Path file) throws IOException {
        Files.setAttribute(file, "unix:uid", USER);
        Files.setAttribute(file, "unix:gid", USER);
    }

    private static void allow(String permissions, Path... files) throws IOException {
        for (Path file : files) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        }
    }
}
