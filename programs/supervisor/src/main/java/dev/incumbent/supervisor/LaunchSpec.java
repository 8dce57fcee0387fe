package dev.incumbent.supervisor;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What a supervisor is launched with.
 *
 * @param binary the supervisor's program, from {@link SupervisorBinary}
 * @param environment every {@code INCUMBENT_*} variable the command gets, in place of those inherited,
 *     but for a client's own credentials such as {@code INCUMBENT_HTTP_SECRET};
 *     {@code INCUMBENT_RUN_ID} is added
 * @param stopSignal what the command is sent at {@code stopAt} of a lease that was not renewed
 * @param inherited what the command takes over besides standard input, output and error
 * @param inBackground the command neither reads standard input nor ever has the terminal, and gets no other descriptor
 * @param cgroup {@link #AUTOMATIC}, {@link #NONE}, or the folder of a control group below which the command gets one of its own
 * @param killReserve from {@code killAt} of a lease to the end of its validity, by which nothing of the command may be left
 */
public record LaunchSpec(
        Path binary,
        RawCommand command,
        Map<String, String> environment,
        int stopSignal,
        Inherited inherited,
        boolean inBackground,
        String cgroup,
        Duration killReserve) {
    /** A control group below this process' own one, where this process may make one there. */
    public static final String AUTOMATIC = "auto";

    /** No control group. */
    public static final String NONE = "no";

    /** What a killed command's processes get to be gone before the validity ends, where nothing else is said. */
    public static final Duration KILL_RESERVE = Duration.ofMillis(150);

    /** The prefix of all variables that are ours. */
    static final String OURS = "INCUMBENT_";

    /** A client's own credentials, such as {@code INCUMBENT_HTTP_SECRET}, are the user's: the command may need them, too. */
    private static final Pattern CREDENTIALS = Pattern.compile(OURS + "[A-Z]+_(PASSWORD|SECRET|TOKEN)");

    public LaunchSpec {
        environment = Map.copyOf(environment);
        for (String name : environment.keySet()) {
            if (!name.startsWith(OURS) || name.equals(RunMark.VARIABLE)) {
                throw new IllegalArgumentException("not a variable to be set for the command: " + name);
            }
        }
        if (stopSignal < 1 || stopSignal > 64) {
            throw new IllegalArgumentException("no signal: " + stopSignal);
        }
        if (cgroup.isEmpty() || cgroup.contains("\n") || (!cgroup.startsWith("/") && !isWord(cgroup))) {
            throw new IllegalArgumentException(
                    "a cgroup is auto, no, or an absolute path, this one is '" + cgroup + "'");
        }
        if (killReserve.isNegative()) {
            throw new IllegalArgumentException("a reserve of " + killReserve);
        }
    }

    private static boolean isWord(String cgroup) {
        return cgroup.equals(AUTOMATIC) || cgroup.equals(NONE);
    }

    /** A command that takes the wrapper's place at the terminal and at standard input, without a control group. */
    public LaunchSpec(
            Path binary, RawCommand command, Map<String, String> environment, int stopSignal, Inherited inherited) {
        this(binary, command, environment, stopSignal, inherited, false, NONE, KILL_RESERVE);
    }

    /** The same in the background, or not. */
    public LaunchSpec inBackground(boolean is) {
        return new LaunchSpec(binary, command, environment, stopSignal, inherited, is, cgroup, killReserve);
    }

    /** The same with a control group, or without one. */
    public LaunchSpec inCgroup(String where) {
        return new LaunchSpec(binary, command, environment, stopSignal, inherited, inBackground, where, killReserve);
    }

    /** The same with another reserve. */
    public LaunchSpec withKillReserve(Duration reserve) {
        return new LaunchSpec(binary, command, environment, stopSignal, inherited, inBackground, cgroup, reserve);
    }

    /** Is that a variable of the wrapper, which the command does not inherit? */
    static boolean isOfTheWrapper(String variable) {
        return variable.startsWith(OURS) && !CREDENTIALS.matcher(variable).matches();
    }
}
