package dev.incumbent.sql;

import java.util.Objects;

/**
 * Which files bear a SQLite database's names: the database, its write-ahead log and the log's index, which also carries the locks.
 *
 * <p>An inode number cannot be given to another file while a connection holds it open. So as long as a connection's files compare equal, they are the very ones
 * that it opened.
 *
 * @param database its device and inode; empty where there is none
 * @param log the same of the write-ahead log
 * @param index the same of the log's index
 */
public record FileIdentity(String database, String log, String index) {
    /** Of a database that is not there. */
    public static final FileIdentity ABSENT = new FileIdentity("", "", "");

    /** Is there a database? */
    public boolean hasDatabase() {
        return !database.isEmpty();
    }

    /** Is there a log? */
    public boolean hasLog() {
        return !log.isEmpty();
    }

    /** Are all three there? */
    public boolean isComplete() {
        return hasDatabase() && hasLog() && !index.isEmpty();
    }

    /** The same of the database alone, for a connection that writes no log. */
    public FileIdentity withoutLog() {
        return new FileIdentity(database, "", "");
    }

    /** By hand: to make a record's own at its first call takes a command some 6 ms. */
    @Override
    @SuppressWarnings("NullAway") // no annotation of a third party may stand on this floor
    public boolean equals(Object other) {
        return other instanceof FileIdentity that
                && database.equals(that.database)
                && log.equals(that.log)
                && index.equals(that.index);
    }

    @Override
    public int hashCode() {
        return Objects.hash(database, log, index);
    }
}
