package dev.incumbent.fence.file;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A process that appends to a file or replaces it once, in term 7, and says {@code committed}, or why not. */
final class OneWrite {
    private OneWrite() {}

    public static void main(String[] arguments) throws Exception {
        FileWrite write =
                FencedFile.at(Path.of(arguments[0]), Duration.ofSeconds(20)).begin();
        write.admit(new ElectionName("billing"), new FencingToken(7));
        byte[] text = "written".getBytes(StandardCharsets.UTF_8);
        FileWrite unused = arguments[1].equals("replace") ? write.replace(text) : write.append(text);
        try {
            write.commit();
            System.out.println("committed");
        } catch (IOException refused) {
            System.out.println(refused.getMessage());
        }
    }

    /** Begun by another program, which is given to it: {@code setpriv}, or {@code strace}. */
    static Process start(Path file, String how, String... by) throws IOException {
        List<String> command = new ArrayList<>(List.of(by));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                WritingProcess.classPath(),
                OneWrite.class.getName(),
                file.toString(),
                how));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }
}
