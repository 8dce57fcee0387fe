package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** A control group for one test, below the topmost one of this machine; skips the test where only root could make it, or the kernel. */
final class GivenCgroup {
    private Optional<Path> top = Optional.empty();
    private Optional<Path> made = Optional.empty();

    void make() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root may give a control group away");
        top = Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
                .filter(line -> line.contains(" - cgroup2 "))
                .map(line -> line.split(" ", -1))
                .filter(words -> words[3].equals("/"))
                .map(words -> Path.of(words[4]))
                .filter(Files::isWritable)
                .findFirst();
        assumeTrue(top.isPresent(), "no control groups of version 2");
        made = Optional.of(Files.createDirectory(top().resolve("test-" + UUID.randomUUID())));
        assumeTrue(Files.exists(folder().resolve("cgroup.kill")), "a kernel before 5.14");
    }

    void remove() {
        made.ifPresent(group -> Await.until("an empty control group", () -> {
            new ControlGroup(group).remove();
            return Files.notExists(group);
        }));
    }

    Path top() {
        return top.orElseThrow();
    }

    Path folder() {
        return made.orElseThrow();
    }

    /** The groups in it. */
    List<Path> children() throws IOException {
        try (Stream<Path> all = Files.list(folder())) {
            return all.filter(Files::isDirectory).toList();
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Words before a program that shall be in it. */
    String[] inside() {
        return new String[] {"sh", "-c", "echo $$ > " + folder() + "/cgroup.procs; exec \"$@\"", "sh"};
    }

    /** As systemd gives a group away: the folder, the file by which processes enter it, and a mark. */
    void giveTo(String user) throws IOException {
        run("chown", user, folder().toString(), folder() + "/cgroup.procs");
        mark("user.delegate", "1");
    }

    void mark(String attribute, String value) throws IOException {
        String set = "import os, sys; os.setxattr(sys.argv[1], sys.argv[2], sys.argv[3].encode())";
        run("python3", "-c", set, folder().toString(), attribute, value);
    }

    private static void run(String... words) throws IOException {
        try {
            assertThat(new ProcessBuilder(words).inheritIO().start().waitFor()).isZero();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
