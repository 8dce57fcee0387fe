package dev.incumbent.supervisor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * A command and its arguments as bytes, since the kernel knows no other kind and Java mangles those outside its
 * locale. Immutable.
 */
public final class RawCommand {
    private final List<byte[]> arguments;

    private RawCommand(List<byte[]> arguments) {
        if (arguments.isEmpty()) {
            throw new IllegalArgumentException("a command has at least a name");
        }
        this.arguments = List.copyOf(arguments);
    }

    /** A command given as text, in UTF-8. */
    public static RawCommand of(String... arguments) {
        return new RawCommand(Arrays.stream(arguments)
                .map(argument -> argument.getBytes(StandardCharsets.UTF_8))
                .toList());
    }

    /** The last {@code count} arguments this very process was started with, byte by byte. */
    public static RawCommand lastOfThisProcess(int count) throws IOException {
        List<byte[]> all = split(Files.readAllBytes(Path.of("/proc/self/cmdline")));
        return new RawCommand(all.subList(all.size() - count, all.size()));
    }

    /** Splits what the kernel keeps: each argument ends with a zero byte. */
    static List<byte[]> split(byte[] commandLine) {
        List<byte[]> arguments = new ArrayList<>();
        int begin = 0;
        for (int i = 0; i < commandLine.length; i++) {
            if (commandLine[i] == 0) {
                arguments.add(Arrays.copyOfRange(commandLine, begin, i));
                begin = i + 1;
            }
        }
        return arguments;
    }

    /** The arguments as hexadecimal digits, the first being the command's name. */
    List<String> inHexadecimal() {
        return arguments.stream().map(HexFormat.of()::formatHex).toList();
    }

    /** The name of the command, for people. */
    public String name() {
        return new String(arguments.get(0), StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return name() + " (" + (arguments.size() - 1) + " arguments)";
    }
}
