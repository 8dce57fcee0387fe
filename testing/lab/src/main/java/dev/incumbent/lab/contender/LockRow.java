package dev.incumbent.lab.contender;

/** The one row, at the store. */
final class LockRow {
    static final int NOBODY = -1;

    private int owner = NOBODY;
    private long incarnation;
    private long expires;

    int owner() {
        return owner;
    }

    boolean isOf(int member, long ofIncarnation) {
        return owner == member && incarnation == ofIncarnation;
    }

    boolean hasExpiredBy(long time) {
        return expires <= time;
    }

    void take(int member, long ofIncarnation, long until) {
        owner = member;
        incarnation = ofIncarnation;
        expires = until;
    }

    void clear() {
        owner = NOBODY;
    }
}
