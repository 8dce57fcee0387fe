package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file that says whose disk this is: this node's name, the disk's own id, and the roll. Durable before anything relies on it.
 *
 * @param level what a build must know to use this disk: its log may be of that level, or is about to be. It stands beside the name, so that builds
 *     which know no levels take the disk for another node's, and say so
 * @param joins is the disk still to be taken in, by a change of the membership? Until then nobody is told of it
 */
record Marker(String member, String disk, Roll roll, int level, boolean joins) {
    private static final String FILE = "marker";
    private static final String NEXT = FILE + ".next";
    private static final String SELF = "SELF";
    private static final String JOINS = "JOINS";
    private static final Pattern NAME = Pattern.compile("(.*) at level (\\d{1,9}), which needs a newer build");

    Marker(String member, String disk, Roll roll) {
        this(member, disk, roll, 0, false);
    }

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
        Matcher named = NAME.matcher(self.get(1));
        boolean isBound = named.matches();
        String name = isBound ? named.group(1) : self.get(1);
        if (!name.equals(member)) {
            throw new NodeRefusal("the folder " + folder + " belongs to node " + name + ", not to " + member);
        }
        int level = isBound ? Integer.parseInt(named.group(2)) : 0;
        if (level > Entry.SUPPORTED) {
            throw new NodeRefusal("node " + member + " does not start: its log is at level " + level
                    + ", and this build knows levels up to " + Entry.SUPPORTED + "; start it with a newer build");
        }
        return new Marker(member, self.get(2), Roll.of(lines), level, lines.contains(JOINS));
    }

    static Marker fresh(String member) {
        return fresh(member, UUID.randomUUID().toString().substring(0, 8));
    }

    /** Of a disk of that id, which nobody has had. */
    static Marker fresh(String member, String disk) {
        return new Marker(member, disk, Roll.EMPTY.with(member, new Roll.Disk(1, disk, 0)));
    }

    /** Save for a marker that never came to count. */
    private static boolean isEmpty(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.allMatch(file -> file.endsWith(NEXT));
        }
    }

    Marker with(Roll next) {
        return new Marker(member, disk, next, level, joins && !next.members().have(id()));
    }

    /** Of a disk that is to be taken in. It stands in no roll until it is. */
    Marker joining() {
        return new Marker(member, disk, Roll.EMPTY, level, true);
    }

    /** As the log says from a position on. */
    Marker configured(Members now) {
        return with(roll.configured(now));
    }

    /** As the log names this disk. */
    String id() {
        return Replica.Peer.id(member, disk);
    }

    /** Does the log, as far as this node knows it, name members, and not this disk? */
    boolean isOut() {
        return roll.members().areKnown() && !roll.members().have(id());
    }

    /** For builds alone that know that level; a beat later, so that a copy from before is known by the others. */
    Marker boundTo(int next) {
        return next <= level ? this : new Marker(member, disk, beat().roll(), next, joins);
    }

    /** This disk as this marker knows it; without beats while the roll names none, or another. */
    Roll.Disk own() {
        return listed().orElse(new Roll.Disk(1, disk, 0));
    }

    private Optional<Roll.Disk> listed() {
        return roll.disk(member).filter(known -> known.id().equals(disk));
    }

    /** One beat later; the same where the roll does not name this disk: another's beats are not this one's to count. */
    Marker beat() {
        if (listed().isEmpty()) {
            return this;
        }
        Roll.Disk own = own();
        return with(roll.with(member, new Roll.Disk(own.generation(), own.id(), own.beats() + 1)));
    }

    private String name() {
        return level == 0 ? member : member + " at level " + level + ", which needs a newer build";
    }

    void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        List<String> lines = new ArrayList<>(List.of(Line.of(SELF, name(), disk)));
        lines.addAll(roll.lines());
        if (joins) {
            lines.add(JOINS);
        }
        Path next = folder.resolve(NEXT);
        Durably.write(next, lines);
        Durably.rename(next, folder.resolve(FILE));
    }
}
