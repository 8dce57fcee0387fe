package dev.incumbent.fence.file;

import dev.incumbent.fence.MarkRule;
import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.SinkException;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What lies beside the file: the sink's id and its marks, a line each.
 *
 * <pre>
 * id 0b9c1c6e-…
 * mark billing/closer 7 candidate:ledger-1@host-4711-9f3c
 * </pre>
 */
record MarkFile(SinkId id, MarksRead read, List<String> noMarks) {
    private static final int WORDS = 4;

    MarkFile {
        noMarks = List.copyOf(noMarks);
    }

    static MarkFile born(SinkId id) {
        return new MarkFile(id, MarksRead.of(Map.of()), List.of());
    }

    /** Throws {@link java.nio.file.NoSuchFileException} where there is none. */
    static MarkFile read(Path path) throws IOException {
        MarksRead.Gathered marks = new MarksRead.Gathered();
        List<String> noMarks = new ArrayList<>();
        String id = "";
        for (String line : lines(path)) {
            String[] words = line.split(" ", WORDS);
            if (words[0].equals("id") && words.length == 2) {
                id = words[1];
            } else if (words[0].equals("mark") && words.length > 1) {
                marks.add(words[1], () -> Optional.of(mark(line)));
                if (!isReadable(line)) {
                    noMarks.add(line);
                }
            } else {
                throw new IOException(path + " has the unreadable line '" + line + "'");
            }
        }
        if (id.isEmpty()) {
            throw new IOException(path + " has no line with the sink's id");
        }
        return new MarkFile(new SinkId(id), marks.told(), noMarks);
    }

    private static Mark mark(String line) {
        String[] words = line.split(" ", WORDS);
        if (words.length < WORDS) {
            throw new IllegalArgumentException("the line '" + line + "' has no token and owner");
        }
        return new Mark(new FencingToken(Long.parseLong(words[2])), MarkOwner.parse(words[3]));
    }

    private static boolean isReadable(String line) {
        try {
            return ElectionName.ifLegal(line.split(" ", WORDS)[1]).isPresent()
                    && mark(line).token().value() > 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** The mark of an election; throws where its line is none. */
    Optional<Mark> mark(ElectionName election) throws IOException {
        try {
            return read.of(election);
        } catch (SinkException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    MarkRule rule(ElectionName election) throws IOException {
        return mark(election).map(MarkRule::at).orElse(MarkRule.unmarked());
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
        Map<ElectionName, Mark> more = new TreeMap<>(read.marks());
        more.put(election, mark);
        return new MarkFile(id, new MarksRead(more, read.unreadable()), noMarks);
    }

    /** All of it, also what is no mark, or as it was before; on the disk when this returns. */
    void write(Path path) throws IOException {
        StringBuilder text = new StringBuilder("id " + id + "\n");
        read.marks()
                .forEach((election, mark) -> text.append("mark ")
                        .append(election)
                        .append(' ')
                        .append(mark.token())
                        .append(' ')
                        .append(mark.owner())
                        .append('\n'));
        noMarks.forEach(line -> text.append(line).append('\n'));
        Disk.replace(path, text.toString().getBytes(StandardCharsets.UTF_8));
    }
}
