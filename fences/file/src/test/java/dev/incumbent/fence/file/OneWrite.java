package dev.incumbent.fence.file;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that does one thing to a file, and says what came of it, or why it failed: it appends to the file or replaces it, in term 7, raises the mark to 8, looks at
 * the marks, or installs the fence.
 */
final class OneWrite {
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final Duration BOUND = Duration.ofSeconds(20);

    private OneWrite() {}

    public static void main(String[] arguments) throws Exception {
        try {
            System.out.println(done(arguments[0], arguments[1]));
        } catch (AccessDeniedException refused) {
            System.out.println(refused);
        } catch (IOException refused) {
            System.out.println(refused.getMessage());
        } catch (FenceException | SinkException refused) {
            System.out.println(refused.getCause());
        }
    }

    private static Object done(String file, String how) throws IOException, FenceException {
        GuardedFile guarded = GuardedFile.at(Path.of(file));
        return switch (how) {
            case "raise" -> guarded.raise(BILLING, new Mark(new FencingToken(8), MarkOwner.ofOperator("me")), BOUND);
            case "install" -> installed(guarded);
            case "look" -> guarded.read(BOUND, "looking").read().marks();
            default -> written(file, how);
        };
    }

    private static String installed(GuardedFile guarded) {
        guarded.install(BOUND);
        return "installed";
    }

    private static String written(String file, String how) throws IOException, FenceException {
        FileWrite write = FencedFile.at(Path.of(file), BOUND).begin();
        write.admit(BILLING, new FencingToken(7));
        byte[] text = "written".getBytes(StandardCharsets.UTF_8);
        FileWrite unused = how.equals("replace") ? write.replace(text) : write.append(text);
        write.commit();
        return "committed";
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
