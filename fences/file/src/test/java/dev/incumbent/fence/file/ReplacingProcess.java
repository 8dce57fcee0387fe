package dev.incumbent.fence.file;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** A process of another user that replaces a file once, in term 7, and says why not. */
final class ReplacingProcess {
    private ReplacingProcess() {}

    public static void main(String[] arguments) throws Exception {
        FileWrite write =
                FencedFile.at(Path.of(arguments[0]), Duration.ofSeconds(20)).begin();
        write.admit(new ElectionName("billing"), new FencingToken(7));
        write.replace("late".getBytes(StandardCharsets.UTF_8));
        try {
            write.commit();
        } catch (IOException refused) {
            System.out.println(refused.getMessage());
        }
    }

    /** Needs the rights of root. */
    static Process startAsUser(int id, Path file) throws IOException {
        return new ProcessBuilder(
                        "setpriv",
                        "--reuid=" + id,
                        "--regid=" + id,
                        "--clear-groups",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        WritingProcess.classPath(),
                        ReplacingProcess.class.getName(),
                        file.toString())
                .redirectErrorStream(true)
                .start();
    }
}
