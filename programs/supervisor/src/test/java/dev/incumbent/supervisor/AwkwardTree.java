package dev.incumbent.supervisor;

/** A command whose descendants leave it in every usual way. */
final class AwkwardTree {
    /** How many processes there are once all have come up, the command included. */
    static final int SIZE = 6;

    /** What each of them is called. */
    static final String NAME = "sleep";

    private static final String SCRIPT = """
            sleep 1001 &
            setsid sleep 1002 &
            nohup sleep 1003 >/dev/null 2>&1 &
            (setsid sh -c 'sleep 1004 & exec sleep 1005' &)
            exec sleep 1006
            """;

    private AwkwardTree() {}

    static String[] command() {
        return new String[] {"sh", "-c", SCRIPT};
    }

    /** The same, except that none of them lets itself be asked to end. */
    static String[] stubbornCommand() {
        return new String[] {"sh", "-c", "trap '' TERM INT HUP\n" + SCRIPT};
    }
}
