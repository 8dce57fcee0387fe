package dev.incumbent.coordinator.sqlite;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;

/**
 * The names of one store's files, and who bears them now. Never opens one of them: closing any descriptor of a file drops all
 * locks that this process holds on it, SQLite's too.
 *
 * @param given the path as the user named it, which may be a symbolic link
 * @param real where it led when the session was opened; SQLite puts its log beside that
 */
record StoreFiles(Path given, Path real) {
    private static final Path OPEN_FILES = Path.of("/proc/self/fd");

    /** The names of a store at a path, following links where the file is there. */
    static StoreFiles at(Path given) throws IOException {
        try {
            return new StoreFiles(given, given.toRealPath());
        } catch (NoSuchFileException absent) {
            return new StoreFiles(given, given);
        }
    }

    Path log() {
        return beside("-wal");
    }

    Path index() {
        return beside("-shm");
    }

    /** A file of ours beside the store's. */
    Path beside(String suffix) {
        return real.resolveSibling(real.getFileName() + suffix);
    }

    /** Who bears the names now. */
    Identity identity() throws IOException {
        return new Identity(key(given), key(log()), key(index()));
    }

    /** As {@link #identity()}, for a session that reads without locks: any change of the database's content is another identity. */
    Identity content() throws IOException {
        Identity files = identity();
        if (!files.hasDatabase()) {
            return files;
        }
        BasicFileAttributes attributes = Files.readAttributes(given, BasicFileAttributes.class);
        return new Identity(
                files.database() + "," + attributes.size() + "," + attributes.lastModifiedTime(),
                files.log(),
                files.index());
    }

    /** Does this process hold all those files open, as far as the system tells? */
    static boolean areOpen(Identity identity) throws IOException {
        if (!Files.isDirectory(OPEN_FILES)) {
            return true;
        }
        Set<String> wanted = new HashSet<>(Set.of(identity.database(), identity.log(), identity.index()));
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(OPEN_FILES)) {
            for (Path descriptor : descriptors) {
                wanted.remove(key(descriptor));
                if (wanted.isEmpty()) {
                    return true;
                }
            }
        }
        return false;
    }

    private static String key(Path file) throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            Object key = attributes.fileKey();
            return key != null ? key.toString() : attributes.creationTime().toString();
        } catch (NoSuchFileException absent) {
            return "";
        }
    }
}
