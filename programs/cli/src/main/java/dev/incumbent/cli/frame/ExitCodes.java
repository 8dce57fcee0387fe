package dev.incumbent.cli.frame;

/** The exit codes of every verb. Those below 64 and above 81 that {@code run} returns are its command's own. */
public final class ExitCodes {
    public static final int DONE = 0;
    /** Not so: a wait's timeout, findings of {@code doctor}, another leads than was asked for. */
    public static final int NOT_SO = 1;
    /** {@code check}: a later term exists, or the token's leader is gone. */
    public static final int STALE = 3;
    /** {@code check}: no term of that number is known yet. */
    public static final int NEWER = 4;

    public static final int USAGE = 64;
    public static final int UNREACHABLE = 69;
    public static final int INTERNAL = 70;
    /** {@code server}: its log cannot be written, the disk being full or broken. */
    public static final int DISK = 74;

    public static final int CONFIGURATION = 78;
    /** {@code run}: leadership ended while the command ran. */
    public static final int LOST = 79;
    /** A transfer or resignation was refused or timed out and was taken back: the same term goes on. */
    public static final int TAKEN_BACK = 80;
    /** A sink could not be raised or read. */
    public static final int SINK = 81;

    private ExitCodes() {}
}
