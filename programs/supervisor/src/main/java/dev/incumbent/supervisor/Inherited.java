package dev.incumbent.supervisor;

/**
 * What a command takes over from whoever started this process, although a JVM neither sees it nor passes it on. The program of the supervisor, by which the
 * launcher starts the JVM, tells it by properties; where the JVM was started without it, nothing is told.
 *
 * @param ignoredSignals bit n-1 set: signal n was ignored
 * @param blockedSignals bit n-1 set: signal n was blocked
 * @param descriptors standard input holds the true one and the descriptors above 2, which are the command's
 */
public record Inherited(long ignoredSignals, long blockedSignals, boolean descriptors) {
    /** Nothing but standard input, output and error. */
    public static final Inherited NOTHING = new Inherited(0, 0, false);

    private static final int HEXADECIMAL = 16;

    /** What this process was told at its start. */
    public static Inherited told() {
        return new Inherited(mask("ignored"), mask("blocked"), System.getProperty("incumbent.descriptors") != null);
    }

    private static long mask(String name) {
        return Long.parseUnsignedLong(System.getProperty("incumbent." + name, "0"), HEXADECIMAL);
    }
}
