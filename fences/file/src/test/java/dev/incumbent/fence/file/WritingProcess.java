package dev.incumbent.fence.file;

import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.time.SystemTimeline;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A process that appends lines of term 7 until it is told that it is stale; then it says how many it has written. */
final class WritingProcess {
    private WritingProcess() {}

    public static void main(String[] arguments) throws Exception {
        FencedFile file = FencedFile.at(Path.of(arguments[0]), Duration.ofSeconds(20));
        for (int count = 0; ; count++) {
            FileWrite write = file.begin();
            write.admit(new ElectionName("billing"), new FencingToken(7));
            write.append((arguments[1] + " " + count + "\n").getBytes(StandardCharsets.UTF_8));
            try {
                write.commit();
            } catch (StaleTokenException stale) {
                System.out.println(count);
                return;
            }
        }
    }

    static Process start(Path file, String name) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        classPath(),
                        WritingProcess.class.getName(),
                        file.toString(),
                        name)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Where what it needs was loaded from: a test's own class path may be a launcher's alone. */
    static String classPath() {
        return Stream.of(
                        WritingProcess.class,
                        FencedFile.class,
                        StaleTokenException.class,
                        ElectionName.class,
                        SystemTimeline.class)
                .map(type ->
                        type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }
}
