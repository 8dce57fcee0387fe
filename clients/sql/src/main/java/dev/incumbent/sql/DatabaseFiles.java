package dev.incumbent.sql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The names of one SQLite database's files, and who bears them now. Never opens one of them: closing any descriptor of a file drops all
 * locks that this process holds on it, SQLite's too.
 *
 * @param given the path as the user named it, which may be a symbolic link
 * @param real where it led when the database was opened; SQLite puts its log beside that
 */
public record DatabaseFiles(Path given, Path real) {
    /** The names of a database at a path, following links where the file is there. */
    public static DatabaseFiles at(Path given) throws IOException {
        try {
            return new DatabaseFiles(given, given.toRealPath());
        } catch (NoSuchFileException absent) {
            return new DatabaseFiles(given, given);
        }
    }

    /** The name of its write-ahead log. */
    public Path log() {
        return beside("-wal");
    }

    /** The name of the log's index. */
    public Path index() {
        return beside("-shm");
    }

    /** A file beside the database's. */
    public Path beside(String suffix) {
        return real.resolveSibling(real.getFileName() + suffix);
    }

    /** Who bears the names now. */
    public FileIdentity identity() throws IOException {
        return new FileIdentity(key(given), key(log()), key(index()));
    }

    /** The same where it is known who bears the log's name. */
    FileIdentity identityBeside(String log) throws IOException {
        return new FileIdentity(key(given), log, key(index()));
    }

    /** As {@link #identity()}, for whoever reads without locks: any change of the database's content is another identity. */
    public FileIdentity content() throws IOException {
        FileIdentity files = identity();
        return files.hasDatabase()
                ? new FileIdentity(files.database() + "," + stamp(given), files.log(), files.index())
                : files;
    }

    /** Changes when somebody writes to that file; empty where it is absent. Coarse where the file system counts time in ticks. */
    public static String stamp(Path file) throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return attributes.size() + "," + attributes.lastModifiedTime();
        } catch (NoSuchFileException absent) {
            return "";
        }
    }

    /** A file's device and inode; empty where it is absent. */
    static String key(Path file) throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            Object key = attributes.fileKey();
            return key != null ? key.toString() : attributes.creationTime().toString();
        } catch (NoSuchFileException absent) {
            return "";
        }
    }
}
