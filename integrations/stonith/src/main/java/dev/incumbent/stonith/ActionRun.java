package dev.incumbent.stonith;

import dev.incumbent.model.Holder;
import dev.incumbent.time.Timeline;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * One action of a device, as a process of its own that ends by a clock of its own. Blocks the calling thread, until an instant of the clock since boot at most.
 *
 * <p>The process is a group under {@code timeout}. Before it begins, it compares that clock itself: if this process stood still in between, nothing begins. When the program has ended, or its time
 * is up, the whole group is killed. The group is that of {@code timeout}, which GNU's makes; where another one makes none, nothing else is killed.
 */
final class ActionRun {
    /** Arguments: the instant in hundredths of a second since boot, and the program with its own. Refuses with 124 if that has passed. */
    private static final String LAUNCH = """
            read -r up rest < /proc/uptime
            left=$(($1 - ${up%.*} * 100 - 1${up#*.} + 100))
            [ "$left" -gt 0 ] || exit 124
            shift
            cents=$((left % 100))
            [ "$cents" -ge 10 ] || cents=0$cents
            exec timeout -s KILL "$((left / 100)).$cents" sh -c '"$@" >&2; echo $?; kill -KILL -$PPID' sh "$@"
            """;

    /** How {@code timeout} ends in both cases: it is of the group that is killed. */
    private static final int KILLED = 137;

    private static final int LOOK_MILLIS = 10;
    private static final int KILL_ROUNDS = 100;
    private static final long CENTI_NANOS = 10_000_000;
    private static final int MOST_INPUT = 16_384;

    private final FenceDevice device;
    private final String action;
    private final Holder holder;
    private final Timeline timeline;

    ActionRun(FenceDevice device, String action, Holder holder, Timeline timeline) {
        this.device = device;
        this.action = action;
        this.holder = holder;
        this.timeline = timeline;
    }

    /**
     * How it ended.
     *
     * @param code with which the program has exited; empty where it was killed, or did not begin
     * @param began whether it has begun
     * @param said the last line of what it wrote
     */
    record Ended(OptionalInt code, boolean began, String said) {
        boolean is(int expected) {
            return code.isPresent() && code.getAsInt() == expected;
        }

        @Override
        public String toString() {
            String how = code.isPresent()
                    ? "exits with " + code.getAsInt()
                    : began ? "has not ended in its time and was killed" : "could not be begun in time";
            return said.isEmpty() ? how : how + ": " + said;
        }
    }

    Ended until(long bootNanos) throws IOException, InterruptedException {
        byte[] input = input();
        Process process = builder(bootNanos).start();
        OutputTail said = new OutputTail(device.options());
        OutputTail code = new OutputTail(Map.of());
        try {
            tell(process, input);
            boolean ended;
            do {
                ended = process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                said.take(process.getErrorStream());
                code.take(process.getInputStream());
            } while (!ended && timeline.bootNanos().orElseThrow() < bootNanos);
        } finally {
            kill(process); // closes what it could be read from
        }
        process.waitFor(KILL_ROUNDS, TimeUnit.MILLISECONDS);
        boolean began = process.isAlive() || process.exitValue() == KILLED;
        return new Ended(number(code.lastLine()), began, said.lastLine());
    }

    /** The process that has until then. */
    ProcessBuilder builder(long bootNanos) {
        List<String> command =
                new ArrayList<>(List.of("sh", "-c", LAUNCH, "sh", Long.toString(bootNanos / CENTI_NANOS)));
        command.addAll(program());
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(Path.of("/").toFile());
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("INCUMBENT_"));
        environment.put("INCUMBENT_HOLDER_ACTION", action);
        environment.put("INCUMBENT_HOLDER_NODE", holder.on().node());
        environment.put("INCUMBENT_HOLDER_BOOT_ID", holder.on().bootId());
        environment.put("INCUMBENT_HOLDER_PROCESS", holder.on().process());
        environment.put("INCUMBENT_HOLDER_CANDIDATE", holder.candidate().value());
        environment.put("INCUMBENT_HOLDER_TERM", Long.toString(holder.term()));
        return builder;
    }

    private List<String> program() {
        if (device.program() instanceof FenceDevice.Agent agent) {
            return List.of(agent.path());
        }
        FenceDevice.Commands commands = (FenceDevice.Commands) device.program();
        return List.of("sh", "-c", action.equals("off") ? commands.off() : commands.status());
    }

    private byte[] input() throws IOException {
        StringBuilder lines = new StringBuilder();
        device.input(action, holder.on().node())
                .forEach((name, value) ->
                        lines.append(name).append('=').append(value).append('\n'));
        byte[] input = lines.toString().getBytes(StandardCharsets.UTF_8);
        if (input.length > MOST_INPUT) {
            throw new IOException("its options have " + input.length + " bytes, and at most " + MOST_INPUT);
        }
        return input;
    }

    /** A pipe takes that much at once. A program that reads nothing may end before it is told. */
    private static void tell(Process process, byte[] input) {
        try (OutputStream in = process.getOutputStream()) {
            in.write(input);
        } catch (IOException unread) {
            // how it ends says what that means
        }
    }

    /** What {@code timeout} has not ended: first those below, which cannot be found any more once their parent has ended. */
    private static void kill(Process process) {
        List<ProcessHandle> below = process.descendants().toList();
        for (int round = 0; !below.isEmpty() && round < KILL_ROUNDS; round++) {
            below.forEach(ProcessHandle::destroyForcibly);
            below = process.descendants().filter(ProcessHandle::isAlive).toList();
        }
        process.destroyForcibly();
    }

    private static OptionalInt number(String text) {
        return Optional.of(text)
                .filter(one -> one.matches("[0-9]{1,3}"))
                .map(one -> OptionalInt.of(Integer.parseInt(one)))
                .orElseGet(OptionalInt::empty);
    }
}
