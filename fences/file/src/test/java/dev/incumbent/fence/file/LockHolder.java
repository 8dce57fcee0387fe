package dev.incumbent.fence.file;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Another process that holds a byte of a lock file until it is closed. */
final class LockHolder implements AutoCloseable {
    private final Process process;

    private LockHolder(Process process) {
        this.process = process;
    }

    /** Returns once it holds it. */
    static LockHolder of(Path lockFile, long at) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockHolder.class.getName(),
                        lockFile.toString(),
                        Long.toString(at))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Reader told = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8);
        if (told.read() != 'h') {
            throw new IOException("the other process holds nothing");
        }
        return new LockHolder(process);
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] arguments) throws IOException {
        try (FileChannel file =
                FileChannel.open(Path.of(arguments[0]), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.lock(Long.parseLong(arguments[1]), 1, false);
            new PrintStream(System.out, true, StandardCharsets.UTF_8).println("held");
            System.in.read();
        }
    }
}
