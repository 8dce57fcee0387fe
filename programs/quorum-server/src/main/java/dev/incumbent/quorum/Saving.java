package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.QuorumOperator;
import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.time.Timeline;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Takes a snapshot of a quorum that runs, into a file. */
public final class Saving {
    private Saving() {}

    /**
     * A copy of all that was acknowledged before this was called, made by the first node that can.
     *
     * @param uri of the quorum, with an operator's token
     * @param patience how long one answer may take, and how long nodes are asked that cannot answer now
     */
    public static Snapshot fetch(String uri, Timeline timeline, Duration patience) throws InterruptedException {
        return QuorumOperator.at(uri, timeline, patience).ask(Saving::fetch);
    }

    private static Snapshot fetch(QuorumOperator.Node node) throws IOException {
        List<String> begun = Line.fields(node.ask(Copies.PATH, "").strip());
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try {
            for (int piece = 0; piece < Integer.parseInt(begun.get(2)); piece++) {
                text.writeBytes(node.ask(Copies.PATH + "/" + begun.get(1) + "/" + piece, "")
                        .getBytes(StandardCharsets.UTF_8));
            }
        } catch (IndexOutOfBoundsException | NumberFormatException notUnderstood) {
            throw new IOException("it answers " + begun, notUnderstood);
        }
        return Snapshot.of("what " + node + " tells", text.toByteArray());
    }

    /**
     * Writes it: when this returns it is on the disk, and until then the file is as it was. Only its owner may read it.
     *
     * @param replaces may there be such a file already? Throws a {@link FileAlreadyExistsException} where not
     */
    public static void write(Snapshot snapshot, Path file, boolean replaces) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Durably.writePrivately(next, snapshot.lines());
        if (!replaces && Files.exists(file)) {
            Files.delete(next);
            throw new FileAlreadyExistsException(file.toString());
        }
        Durably.rename(next, file);
    }
}
