package dev.incumbent.quorum;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Files of lines that are on the disk when a call returns; one that fails leaves what was there under the name that counts. */
final class Durably {
    private Durably() {}

    static void write(Path file, List<String> lines) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer text =
                    ByteBuffer.wrap(String.join("\n", lines).concat("\n").getBytes(StandardCharsets.UTF_8));
            while (text.hasRemaining()) {
                channel.write(text);
            }
            channel.force(true);
        }
    }

    /** Within one folder. */
    static void rename(Path file, Path name) throws IOException {
        Files.move(file, name, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel folder = FileChannel.open(name.resolveSibling("."), StandardOpenOption.READ)) {
            folder.force(true);
        }
    }
}
