package dev.incumbent.lab.world;

/**
 * One protocol on one member of a world. It acts through its {@link LabMember}: sends, sets alarms, begins and ends the member's work. All calls come from the
 * world's one thread; nothing is called while the member's process is paused or down.
 */
public interface Contender {
    /** The member's process has started, for the first time or again. */
    void start();

    /** The process is gone, without a word. */
    void die();

    /** The process is asked to end in good order; says when it has, and is then gone. */
    default void leave(Runnable done) {
        done.run();
    }

    /** Until when its guard says that this member leads, on the member's clock; the smallest number: it does not, the greatest: until it hears otherwise. */
    long believesUntil();

    /** Can a leader hand over? */
    default boolean canHandOver() {
        return false;
    }

    /** The leader shall hand over, to that member if it can choose. */
    default void handOver(LabMember successor) {}

    /** A sink has refused that token, since a greater one is in force. */
    default void refused(long token, long inForce) {}
}
