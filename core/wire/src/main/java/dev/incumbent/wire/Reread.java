package dev.incumbent.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What some files say, read again when one of them has changed. What cannot be read then, as while a file is being replaced, leaves what was read before. Thread-safe.
 */
public final class Reread<T> {
    private final List<Path> files;
    private final Reading<T, ?> reading;
    private final Consumer<Exception> unread;
    private List<Stamp> stamps;
    private T value;
    private String told = "";

    /** Reads files; may fail. */
    public interface Reading<T, E extends Exception> {
        T read() throws IOException, E;
    }

    /** What tells that a file is another than before. */
    private record Stamp(long modifiedNanos, long size, String key) {
        static Stamp of(Path file) throws IOException {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new Stamp(
                    attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                    attributes.size(),
                    Objects.toString(attributes.fileKey()));
        }
    }

    /** Reads them for the first time, and fails where they cannot be read. */
    public <E extends Exception> Reread(List<Path> files, Reading<T, E> reading) throws IOException, E {
        this(files, reading, beingReplaced -> {});
    }

    /** The same; {@code unread} hears why they could not be read later, once for each reason in a row. */
    public <E extends Exception> Reread(List<Path> files, Reading<T, E> reading, Consumer<Exception> unread)
            throws IOException, E {
        this.files = List.copyOf(files);
        this.reading = reading;
        this.unread = unread;
        this.stamps = stamps();
        this.value = reading.read();
    }

    /** What they say now. Looks at each file, and reads them only where one has changed. */
    public synchronized T now() {
        try {
            List<Stamp> seen = stamps();
            if (!seen.equals(stamps)) {
                value = reading.read();
                stamps = seen;
            }
            told = "";
        } catch (Exception e) {
            tell(e);
        }
        return value;
    }

    private void tell(Exception e) {
        if (!told.equals(e.toString())) {
            told = e.toString();
            unread.accept(e);
        }
    }

    private List<Stamp> stamps() throws IOException {
        List<Stamp> seen = new ArrayList<>();
        for (Path file : files) {
            seen.add(Stamp.of(file));
        }
        return seen;
    }
}
