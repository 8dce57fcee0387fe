package dev.incumbent.fence.file;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What lies beside the file: the sink's id and its marks, a line each.
 *
 * <pre>
 * id 0b9c1c6e-…
 * mark billing/closer 7 candidate:ledger-1@host-4711-9f3c
 * </pre>
 */
record MarkFile(SinkId id, Map<ElectionName, Mark> marks) {
    MarkFile {
        marks = Map.copyOf(marks);
    }

    /** Throws {@link java.nio.file.NoSuchFileException} where there is none. */
    static MarkFile read(Path path) throws IOException {
        Map<ElectionName, Mark> marks = new TreeMap<>();
        String id = "";
        for (String line : lines(path)) {
            String[] words = line.split(" ", 4);
            try {
                if (words[0].equals("id") && words.length == 2) {
                    id = words[1];
                } else if (words[0].equals("mark") && words.length == 4) {
                    FencingToken token = new FencingToken(Long.parseLong(words[2]));
                    marks.put(new ElectionName(words[1]), new Mark(token, MarkOwner.parse(words[3])));
                } else {
                    throw new IllegalArgumentException("neither id nor mark");
                }
            } catch (IllegalArgumentException e) {
                throw new IOException(path + " has the unreadable line '" + line + "'", e);
            }
        }
        if (id.isEmpty()) {
            throw new IOException(path + " has no line with the sink's id");
        }
        return new MarkFile(new SinkId(id), marks);
    }

    private static List<String> lines(Path path) throws IOException {
        try (FileChannel file = Disk.open(path, StandardOpenOption.READ);
                BufferedReader text =
                        new BufferedReader(Channels.newReader(file, StandardCharsets.UTF_8.newDecoder(), -1))) {
            return text.lines().toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    MarkFile with(ElectionName election, Mark mark) {
        Map<ElectionName, Mark> more = new TreeMap<>(marks);
        more.put(election, mark);
        return new MarkFile(id, more);
    }

    /** All of it, or as it was before; on the disk when this returns. */
    void write(Path path) throws IOException {
        StringBuilder text = new StringBuilder("id " + id + "\n");
        new TreeMap<>(marks)
                .forEach((election, mark) -> text.append("mark ")
                        .append(election)
                        .append(' ')
                        .append(mark.token())
                        .append(' ')
                        .append(mark.owner())
                        .append('\n'));
        Disk.replace(path, text.toString().getBytes(StandardCharsets.UTF_8));
    }
}
