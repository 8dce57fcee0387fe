package dev.incumbent.servers;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The threads of a process, as Linux tells them. A signal that stops it reaches them one after another: on a busy machine some run on for a while. */
final class Threads {
    private Threads() {}

    /** Are all of them stopped, or ended? */
    static boolean standStill(ProcessHandle process) {
        try (DirectoryStream<Path> threads =
                Files.newDirectoryStream(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            for (Path thread : threads) {
                if (!standsStill(thread)) {
                    return false;
                }
            }
            return true;
        } catch (NoSuchFileException ended) {
            return true;
        } catch (IOException | DirectoryIteratorException oneEndedMeanwhile) {
            return false;
        }
    }

    /** The state is the letter behind the name, which stands in brackets and may itself bear some. */
    private static boolean standsStill(Path thread) throws IOException {
        String stat = Files.readString(thread.resolve("stat"));
        return "TtZX".indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) >= 0;
    }
}
