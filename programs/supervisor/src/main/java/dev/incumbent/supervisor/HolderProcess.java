package dev.incumbent.supervisor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The process that holds a watchdog, as the kernel tells of it. */
final class HolderProcess {
    private static final Path PROCESSES = Path.of("/proc");
    /** A signal has stopped it, or a debugger. */
    private static final String STOPPED = "Tt";

    private HolderProcess() {}

    /** Why the holder of that device has taken a connection, and says nothing; for people. */
    static String whySilent(Path device, Path socket) {
        return stopped(List.of("--watchdog", device.toString(), socket.toString()))
                .map(pid -> device + " is held by process " + pid
                        + ", which was stopped and feeds nothing: let it go on, by kill -CONT " + pid)
                .orElse(device + " is held for another agent, which is still connected");
    }

    private static Optional<Long> stopped(List<String> lastWords) {
        return ProcessHandle.allProcesses()
                .filter(one -> one.info()
                        .arguments()
                        .filter(words -> endsWith(List.of(words), lastWords))
                        .isPresent())
                .map(ProcessHandle::pid)
                .filter(HolderProcess::isStopped)
                .findFirst();
    }

    private static boolean endsWith(List<String> words, List<String> last) {
        return words.size() >= last.size()
                && words.subList(words.size() - last.size(), words.size()).equals(last);
    }

    private static boolean isStopped(long pid) {
        try {
            Path stat = PROCESSES.resolve(Long.toString(pid)).resolve("stat");
            String text = new String(Files.readAllBytes(stat), StandardCharsets.ISO_8859_1);
            return STOPPED.indexOf(text.charAt(text.lastIndexOf(')') + 2)) >= 0;
        } catch (IOException | StringIndexOutOfBoundsException gone) {
            return false;
        }
    }
}
