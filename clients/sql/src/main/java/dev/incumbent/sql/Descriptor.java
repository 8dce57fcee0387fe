package dev.incumbent.sql;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A descriptor by which this process holds a file open, where the system lists them ({@code /proc/self/fd}). It tells whether the file still bears its name, and which locks were taken through it, without
 * a look at the file's attributes: since Linux 6.13 such a look makes the next write change them, and a commit of SQLite's then takes some 60 µs more. Thread-safe.
 */
final class Descriptor {
    private static final Path ALL = Path.of("/proc/self/fd");
    private static final Path TOLD = Path.of("/proc/self/fdinfo");
    private static final String LOCK = "lock:";
    private static final int FEW = 3;
    private static final int MOST_KEPT = 1024;

    private final Path link;
    private final Path told;
    private final Path name;
    private final String file;
    private final byte[] text = new byte[MOST_KEPT];
    private int looks;
    private Optional<FileChannel> kept = Optional.empty();

    private Descriptor(Path link, Path told, Path name, String file) {
        this.link = link;
        this.told = told;
        this.name = name;
        this.file = file;
    }

    /** The last descriptor of each of these files, by the file's key; empty where the system lists none. */
    static Optional<Map<String, Path>> of(Set<String> keys) throws IOException {
        if (!Files.isDirectory(ALL)) {
            return Optional.empty();
        }
        Map<String, Path> found = new HashMap<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(ALL)) {
            for (Path descriptor : descriptors) {
                String key = DatabaseFiles.key(descriptor);
                if (keys.contains(key)) {
                    found.merge(key, descriptor, Descriptor::later);
                }
            }
        }
        return Optional.of(found);
    }

    private static Path later(Path one, Path other) {
        return number(one) > number(other) ? one : other;
    }

    private static int number(Path link) {
        return Integer.parseInt(String.valueOf(link.getFileName()));
    }

    /** That descriptor of the file that has this key and bears this name; empty where it is another's, or the system does not tell which file a descriptor has. */
    static Optional<Descriptor> at(Path link, Path name, String key) throws IOException {
        Path told = TOLD.resolve(String.valueOf(link.getFileName()));
        String file = file(Files.readString(told));
        Descriptor descriptor = new Descriptor(link, told, name, file);
        return !file.isEmpty() && DatabaseFiles.key(link).equals(key) && descriptor.bearsItsName()
                ? Optional.of(descriptor)
                : Optional.empty();
    }

    /** As {@link #text()} has it. */
    static Optional<Descriptor> of(String text, Path name) {
        String[] words = text.split(" ", 2);
        return words.length < 2
                ? Optional.empty()
                : Optional.of(new Descriptor(ALL.resolve(words[0]), TOLD.resolve(words[0]), name, words[1]));
    }

    /** For whoever makes the same once more. */
    String text() {
        return link.getFileName() + " " + file;
    }

    /** Is it still the descriptor of that file, and does the file bear its name? */
    boolean bearsItsName() {
        try {
            return Files.readSymbolicLink(link).equals(name) && file(told()).equals(file);
        } catch (IOException closed) {
            return false;
        }
    }

    /** The locks that were taken through it, as {@code /proc/locks} lists them; empty where it is another file's by now. */
    List<String> locks() {
        try {
            String now = told();
            return file(now).equals(file)
                    ? now.lines()
                            .filter(line -> line.startsWith(LOCK))
                            .map(line -> line.substring(LOCK.length()))
                            .toList()
                    : List.of();
        } catch (IOException closed) {
            return List.of();
        }
    }

    /** Whoever looks often keeps open what tells, which is made anew for each read. */
    private synchronized String told() throws IOException {
        looks++;
        if (looks <= FEW) {
            return Files.readString(told);
        }
        if (kept.isEmpty()) {
            kept = Optional.of(FileChannel.open(told));
        }
        int length = kept.get().read(ByteBuffer.wrap(text), 0);
        return length < 0 || length == MOST_KEPT
                ? Files.readString(told)
                : new String(text, 0, length, StandardCharsets.ISO_8859_1);
    }

    /** What it tells of the mount and the inode; empty before Linux 5.14. */
    private static String file(String told) {
        int inode = told.indexOf("\nino:");
        int mount = told.indexOf("mnt_id:");
        return inode < 0 || mount < 0
                ? ""
                : told.substring(mount, told.indexOf('\n', inode + 1)).replace('\n', ' ');
    }
}
