package dev.incumbent.cli.clock;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** A process that adds a line to a log of pauses, as {@link PauseLog} does, but waits for an order between its reading and its writing. */
final class HeldPauseLog {
    private static final int READY = 'r';

    private HeldPauseLog() {}

    static Process start(Path file, String line) throws IOException {
        Process holder = new ProcessBuilder(List.of(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HeldPauseLog.class.getName(),
                        file.toString(),
                        line))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (holder.getInputStream().read() != READY) {
            throw new IllegalStateException("the process did not lock the log");
        }
        return holder;
    }

    /** Lets it write. */
    static void order(Process holder) throws IOException {
        holder.getOutputStream().close();
    }

    /** Says that it has read, waits until its input ends, and writes. */
    public static void main(String[] arguments) throws IOException {
        try (FileChannel channel =
                FileChannel.open(Path.of(arguments[0]), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            FileLock lock = channel.lock();
            String before = new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
            System.out.write(READY);
            System.out.flush();
            byte[] unused = System.in.readAllBytes();
            channel.write(ByteBuffer.wrap((before + arguments[1] + "\n").getBytes(StandardCharsets.UTF_8)), 0);
            lock.release();
        }
    }
}
