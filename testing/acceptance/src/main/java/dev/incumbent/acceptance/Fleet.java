package dev.incumbent.acceptance;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Three members of one coordinator that disasters befall, and what its operators do about each: the commands of docs/operating/disasters.md. Members are numbered from 0 on. Used by one thread. */
interface Fleet extends AutoCloseable {
    int SIZE = 3;

    /** For {@code --at}, of all members. */
    String uri();

    /** The member that leads; waits until one does. */
    int leader();

    /** Does every member serve, with a leader? */
    boolean isWhole();

    /** Stops it where it stands, and lets it go on. */
    void freeze(int member);

    void thaw(int member);

    /** Kills it, and its disk is gone. */
    void lose(int member);

    /** Starts it with an empty disk as if nothing had happened: why that is refused; empty where it is not refused by itself. */
    Optional<String> refusalOfAnEmptyDisk(int member);

    /** Repairs a loss of one, as the page says; returns when the member takes part. */
    void replace(int member);

    /** Saves all that it knows to that file, while it runs. */
    void save(Path file);

    /** A majority is lost for good: all members begin anew with that file, as the page says. Returns when they serve. */
    void restore(Path file);

    /** By how much a restore lifts terms. */
    long lift();

    /** Does what {@link #fill} takes leave a majority that writes? */
    boolean servesWhenFull();

    /** Takes all room, and waits until that is felt: what was felt. */
    String fill();

    /** Makes room, as the page says; returns when every member serves. */
    void makeRoom();

    /** What each member holds, as it says itself; equal for equal contents. */
    List<String> states();

    @Override
    void close();
}
