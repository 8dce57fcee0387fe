package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The file that says whose disk this is: this node's name, the disk's own id, and the roll. Durable before anything relies on it. */
record Marker(String member, String disk, Roll roll) {
    private static final String FILE = "marker";
    private static final String NEXT = FILE + ".next";
    private static final String SELF = "SELF";

    /** The marker of a folder, or for a folder that is empty or absent a new one that is not written yet. */
    static Marker read(Path folder, String member) throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            if (Files.isDirectory(folder) && !isEmpty(folder)) {
                throw new NodeRefusal(
                        "the folder " + folder + " is not empty and bears no marker, so it is none of a quorum node's");
            }
            return fresh(member);
        }
        List<String> lines = Files.readAllLines(file);
        List<String> self = Line.fields(lines.isEmpty() ? "" : lines.get(0));
        if (self.size() != 3 || !self.get(0).equals(SELF)) {
            throw new NodeRefusal("the marker " + file + " cannot be understood; start with --rejoin");
        }
        if (!self.get(1).equals(member)) {
            throw new NodeRefusal("the folder " + folder + " belongs to node " + self.get(1) + ", not to " + member);
        }
        return new Marker(member, self.get(2), Roll.of(lines));
    }

    static Marker fresh(String member) {
        String disk = UUID.randomUUID().toString().substring(0, 8);
        return new Marker(member, disk, Roll.EMPTY.with(member, new Roll.Disk(1, disk, 0)));
    }

    /** Save for a marker that never came to count. */
    private static boolean isEmpty(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.allMatch(file -> file.endsWith(NEXT));
        }
    }

    Marker with(Roll next) {
        return new Marker(member, disk, next);
    }

    /** This disk as this marker knows it. */
    Roll.Disk own() {
        return roll.disk(member).orElseThrow();
    }

    /** One beat later. */
    Marker beat() {
        Roll.Disk own = own();
        return with(roll.with(member, new Roll.Disk(own.generation(), own.id(), own.beats() + 1)));
    }

    void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        List<String> lines = new ArrayList<>(List.of(Line.of(SELF, member, disk)));
        lines.addAll(roll.lines());
        Path next = folder.resolve(NEXT);
        Durably.write(next, lines);
        Durably.rename(next, folder.resolve(FILE));
    }
}
