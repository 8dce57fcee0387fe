package dev.incumbent.coordinator.sqlite;

import static dev.incumbent.coordinator.tck.Asking.ELECTION;
import static dev.incumbent.coordinator.tck.Asking.failure;
import static dev.incumbent.coordinator.tck.Asking.found;
import static dev.incumbent.coordinator.tck.Asking.get;
import static dev.incumbent.coordinator.tck.Asking.reading;
import static dev.incumbent.coordinator.tck.Asking.swapped;
import static dev.incumbent.coordinator.tck.Asking.vacant;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.Revision;
import dev.incumbent.sql.FileSystems;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file that cannot be used is told in one sentence that names it, and loses nothing. */
final class UnusableFileTest {
    private SqliteRig rig;

    @BeforeEach
    void open() throws IOException {
        rig = new SqliteRig();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void whatIsNoDatabaseIsRefusedAndLeftAlone() throws Exception {
        byte[] text = "dear diary, this is no database at all\n".repeat(40).getBytes(UTF_8);
        Files.write(rig.file(), text);

        assertRefused("is not a SQLite database");

        assertThat(Files.readAllBytes(rig.file())).isEqualTo(text);
    }

    @Test
    void aDamagedFileIsRefusedAndLeftAlone() throws Exception {
        Coordinator before = rig.connect();
        swapped(before, Revision.ABSENT, vacant(1));
        before.close();
        try (FileChannel file = FileChannel.open(rig.file(), StandardOpenOption.WRITE)) {
            for (long page = 4096; page < file.size(); page += 4096) {
                file.write(ByteBuffer.allocate(4096), page);
            }
        }
        byte[] damaged = Files.readAllBytes(rig.file());

        assertRefused("is damaged");

        assertThat(Files.readAllBytes(rig.file())).isEqualTo(damaged);
    }

    @Test
    void anotherApplicationsDatabaseIsRefusedAndLeftAlone() throws Exception {
        rig.execute("create table ledger(line text)");

        assertRefused("is a SQLite database of something else");

        assertThat(rig.text("select count(*) from sqlite_schema")).isEqualTo("1");
    }

    @Test
    void theSchemaOfALaterVersionIsRefused() {
        rig.connect().close();
        rig.execute("pragma user_version=2");

        assertRefused("has schema 2");
    }

    @Test
    void aFolderInItsPlaceIsRefused() throws Exception {
        Files.createDirectory(rig.file());

        assertRefused("is a folder");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "NFS"})
    void aFileSystemThatOtherMachinesMayShareIsRefused(String type) {
        SqliteStore store = new SqliteStore(rig.file(), Mode.CREATE, Duration.ofSeconds(1), path -> type);

        assertThatThrownBy(store::prepare)
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining(rig.file() + " lies on a file system (" + type + ")");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ext4", "tmpfs", "overlay", "xfs", "btrfs", "zfs", "apfs", "NTFS", "fuse.fuse-overlayfs", ""})
    void aLocalFileSystemIsTaken(String type) {
        assertThat(FileSystems.isShared(type)).isFalse();
    }

    @Test
    void aMissingFolderIsMadeForItsOwnerAlone() throws Exception {
        Path file = rig.file().resolveSibling("state").resolve("incumbent").resolve("c.db");

        Coordinator client = rig.remembered(rig.open(file, Mode.CREATE));

        swapped(client, Revision.ABSENT, vacant(1));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
                .isEqualTo("rwx------");
    }

    @Test
    void anAbsentFileReadsAsEmptyAndStaysAbsentUntilSomebodyMakesIt() throws Exception {
        Path file = rig.file().resolveSibling("absent").resolve("c.db");
        Coordinator reader = rig.remembered(rig.open(file, Mode.READ_ONLY));

        assertThat(reading(reader)).isInstanceOf(Reading.Absent.class);
        assertThat(get(reader.elections(""))).isEmpty();
        assertThat(file.getParent()).doesNotExist();

        Coordinator writer = rig.remembered(rig.open(file, Mode.CREATE));
        Revision made = swapped(writer, Revision.ABSENT, vacant(1));
        assertThat(found(reader).revision()).isEqualTo(made);
    }

    @Test
    void anEmptyFileReadsAsEmptyAndStaysSo() throws Exception {
        Files.createFile(rig.file());
        Coordinator reader = rig.remembered(rig.open(rig.file(), Mode.READ_ONLY));

        assertThat(reading(reader)).isInstanceOf(Reading.Absent.class);

        assertThat(rig.file()).isEmptyFile();
    }

    @Test
    void whoOnlyReadsWritesNothing() throws Exception {
        rig.connect();
        Coordinator reader = rig.remembered(rig.open(rig.file(), Mode.READ_ONLY));

        assertThat(failure(reader.swap(ELECTION, Revision.ABSENT, vacant(1))))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("opened to be read only");
    }

    @Test
    void aFileLockedByAnotherIsToldInTimeAndUsedOnceItIsFree() throws Exception {
        Coordinator client = rig.connect();
        Revision first = swapped(client, Revision.ABSENT, vacant(1));
        try (Connection foreign = DriverManager.getConnection("jdbc:sqlite:" + rig.file());
                Statement statement = foreign.createStatement()) {
            statement.execute("begin immediate");

            CoordinatorException locked = failure(client.swap(ELECTION, first, vacant(2)));
            assertThat(locked).hasMessageContaining(rig.file() + " stayed locked by another process");
            assertThat(locked.mayHaveApplied()).isFalse();
            assertThat(found(client).revision()).isEqualTo(first);

            statement.execute("rollback");
        }
        swapped(client, first, vacant(2));
    }

    @Test
    void aFileLockedWhileItIsOpenedIsOpenedOnceItIsFree() throws Exception {
        rig.execute("pragma journal_mode=delete");
        Coordinator client;
        try (Connection foreign = DriverManager.getConnection("jdbc:sqlite:" + rig.file());
                Statement statement = foreign.createStatement()) {
            statement.execute("begin exclusive");

            client = rig.connect();
            assertThat(failure(client.read(java.util.Set.of(ELECTION)))).hasMessageContaining("stayed locked");

            statement.execute("rollback");
        }
        swapped(client, Revision.ABSENT, vacant(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:", "file:/", "file://host/x", "jdbc:sqlite::memory:"})
    void aUriThatNamesNoFileIsRefused(String at) {
        assertThatThrownBy(() ->
                        new SqliteCoordinatorProvider().open(at, rig.timeline(), Duration.ofSeconds(1), Mode.CREATE))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining(at);
    }

    @ParameterizedTest
    @ValueSource(strings = {"zookeeper://me:secret@h", "jdbc:oracle:thin:secret@h", "postgresql://me:secret@h/db"})
    void aUriOfAnotherStoreIsRefusedWithoutItsPassword(String at) {
        assertThatThrownBy(() ->
                        new SqliteCoordinatorProvider().open(at, rig.timeline(), Duration.ofSeconds(1), Mode.CREATE))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessage(
                        "a URI that begins with '" + at.split(":", 2)[0] + ":' names no SQLite file; write file:PATH");
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:c.db", "jdbc:sqlite:c.db"})
    void theProviderIsFoundOnTheClassPath(String at) {
        assertThat(CoordinatorProvider.of(at)).isInstanceOf(SqliteCoordinatorProvider.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:%s", "file://%s", "jdbc:sqlite:%s"})
    void aUriThatNamesAFileOpensIt(String pattern) throws Exception {
        Path file = rig.file().resolveSibling("with 100% & a ? é#.db");
        Coordinator client = rig.remembered(new SqliteCoordinatorProvider()
                .open(pattern.formatted(file), rig.timeline(), Duration.ofSeconds(1), Mode.CREATE));

        swapped(client, Revision.ABSENT, vacant(1));

        assertThat(file).exists();
    }

    private void assertRefused(String why) {
        assertThatThrownBy(rig::connect)
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining(rig.file() + " ")
                .hasMessageContaining(why);
    }
}
