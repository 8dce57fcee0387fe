package dev.incumbent.coordinator.sqlite;

/**
 * Which files bear a store's names: the database, its write-ahead log and the log's index, which also carries the locks. Each is
 * told by device and inode, an absent one by the empty string.
 *
 * <p>An inode number cannot be given to another file while a connection holds it open; so as long as a session's files compare
 * equal, they are the very ones it opened.
 */
record Identity(String database, String log, String index) {
    static final Identity ABSENT = new Identity("", "", "");

    boolean hasDatabase() {
        return !database.isEmpty();
    }

    boolean hasLog() {
        return !log.isEmpty();
    }

    boolean isComplete() {
        return hasDatabase() && hasLog() && !index.isEmpty();
    }
}
