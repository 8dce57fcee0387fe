package dev.incumbent.fence.file;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.tck.Capability;
import dev.incumbent.fence.tck.FenceRig;
import dev.incumbent.fence.tck.Writer;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.servers.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A ledger that lines are appended to. */
final class FileRig implements FenceRig {
    private static final Duration BOUND = Duration.ofSeconds(10);

    private final TemporaryFolder folder = TemporaryFolder.create("filefence");
    private final Path ledger = folder.resolve("ledger.txt");
    private final Queue<LineWriter> writers = new ConcurrentLinkedQueue<>();

    FileRig() {
        install();
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.PUT_BACK, Capability.ADMITS_AT_COMMIT, Capability.PLANTED_MARKS);
    }

    @Override
    public Sink open(Duration bound) {
        return new FileSinkProvider().open("filefence:" + ledger, bound);
    }

    @Override
    public void install() {
        new FileSinkProvider().install("filefence:" + ledger);
    }

    @Override
    public Writer begin() {
        LineWriter writer = new LineWriter(FencedFile.at(ledger, BOUND).begin());
        writers.add(writer);
        return writer;
    }

    @Override
    public void admitOutsideATransaction(ElectionName election, FencingToken token) throws FenceException {
        FileWrite over = FencedFile.at(ledger, BOUND).begin();
        over.rollBack();
        over.admit(election, token);
    }

    @Override
    public List<String> written() {
        try {
            return Files.exists(ledger) ? Files.readAllLines(ledger) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void restart() {
        writers.forEach(LineWriter::rollBack);
    }

    /** As people do it: yesterday's copies are renamed into place. */
    @Override
    public Runnable backUp() {
        Path marks = ledger.resolveSibling("ledger.txt.fence");
        Path yesterday = ledger.resolveSibling("yesterday.fence");
        copy(marks, yesterday);
        return () -> {
            try {
                Files.move(yesterday, marks, StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    private static void copy(Path from, Path to) {
        try {
            Files.copy(from, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void plantUnreadable(ElectionName election) {
        Path marks = ledger.resolveSibling("ledger.txt.fence");
        replace(marks, "mark " + election + " [^\\n]*", "mark " + election + " seven candidate:x");
    }

    @Override
    public void plantForeign(String name) {
        Path marks = ledger.resolveSibling("ledger.txt.fence");
        replace(marks, "\\z", "mark " + name + " 7 candidate:x\n");
    }

    private static void replace(Path file, String pattern, String by) {
        try {
            Files.writeString(file, Files.readString(file).replaceAll(pattern, by));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void pass(Duration time) {
        // Time is real here.
    }

    @Override
    public Duration patience() {
        return Duration.ofSeconds(40);
    }

    @Override
    public void close() {
        folder.close();
    }

    /** Appends lines, all at the commit. */
    private record LineWriter(FileWrite write) implements Writer {
        @Override
        public void read() {
            // This sink has no snapshots.
        }

        @Override
        public void admit(ElectionName election, FencingToken token) throws NoTransactionException {
            write.admit(election, token);
        }

        @Override
        public void admitText(ElectionName election, String token) throws FenceException {
            throw new NotAdmittedException("its clients are typed: " + token);
        }

        @Override
        public void write(String line) {
            write.append((line + "\n").getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void commit() throws FenceException, IOException {
            write.commit();
        }

        @Override
        public void rollBack() {
            write.rollBack();
        }
    }
}
