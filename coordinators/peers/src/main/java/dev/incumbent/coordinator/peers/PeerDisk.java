package dev.incumbent.coordinator.peers;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.PeerGroup;
import dev.incumbent.peers.raft.RaftDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32;

/**
 * The folder in which one member keeps its term and its vote. One process has it at a time. What is written is on the disk, file and folder, before {@link #write} returns. What is damaged, or is
 * another member's, is refused: only a folder without the file counts as empty.
 *
 * <p>Used by one thread.
 */
final class PeerDisk implements AutoCloseable {
    private static final String HEAD = "incumbent-peers 1";
    private static final String NOBODY = "-";
    private static final int LINES = 7;
    private static final int LONGEST = 1 << 16;

    /**
     * The folders that this process has, as they are really called. The kernel drops a process's lock on a file once the process closes any descriptor of that file: so whoever comes second
     * must not open it.
     */
    private static final Set<Path> TAKEN = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final Path real;
    private final FileChannel lockFile;
    private final String identity;
    private final ElectionName election;

    private PeerDisk(Path folder, Path real, FileChannel lockFile, String identity, ElectionName election) {
        this.folder = folder;
        this.real = real;
        this.lockFile = lockFile;
        this.identity = identity;
        this.election = election;
    }

    /** Makes the folder where it is not there, and takes it for this process. Throws a {@link CoordinatorUnusableException} where another process has it, or this one has it already. */
    static PeerDisk open(Path folder, ElectionName election, PeerGroup group) {
        String identity =
                "group " + election + "\nmember " + group.me() + "\nmembers " + PeerGreeting.text(group.ring());
        try {
            Files.createDirectories(folder);
            Path real = folder.toRealPath();
            if (!TAKEN.add(real)) {
                throw taken(folder, "this process already");
            }
            FileChannel lockFile;
            try {
                lockFile = locked(folder);
            } catch (IOException | RuntimeException | Error unlocked) {
                TAKEN.remove(real);
                throw unlocked;
            }
            return new PeerDisk(folder, real, lockFile, identity, election);
        } catch (IOException e) {
            throw new CoordinatorUnusableException("the folder " + folder + " cannot be used: " + e, e);
        }
    }

    private static FileChannel locked(Path folder) throws IOException {
        FileChannel lockFile =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (lockFile.tryLock() == null) {
                throw taken(folder, "another process");
            }
            return lockFile;
        } catch (IOException | RuntimeException | Error unlocked) {
            lockFile.close();
            throw unlocked;
        }
    }

    private static CoordinatorUnusableException taken(Path folder, String by) {
        return new CoordinatorUnusableException("the folder " + folder + " is in use by " + by
                + ": each member has a folder of its own, and runs once");
    }

    /** What was written last; empty where nothing was ever written here. */
    Optional<RaftDisk> read() {
        try {
            Path file = file();
            if (Files.size(file) > LONGEST) {
                throw damaged("it has " + Files.size(file) + " bytes");
            }
            return Optional.of(parsed(Files.readString(file, StandardCharsets.UTF_8)));
        } catch (NoSuchFileException neverWritten) {
            return Optional.empty();
        } catch (CharacterCodingException e) {
            throw damaged("it is no text");
        } catch (IOException e) {
            throw new CoordinatorUnusableException(file() + " cannot be read: " + e, e);
        }
    }

    private RaftDisk parsed(String text) {
        int end = text.lastIndexOf("\ncrc ");
        List<String> lines = text.lines().toList();
        if (end < 0
                || lines.size() != LINES
                || !text.substring(end + 1).strip().equals(check(text.substring(0, end)))) {
            throw damaged("its check sum does not fit");
        }
        if (!lines.get(0).equals(HEAD)) {
            throw new CoordinatorUnusableException(
                    file() + " begins with '" + lines.get(0) + "', and this version reads '" + HEAD + "'");
        }
        String found = String.join("\n", lines.subList(1, LINES - 3));
        if (!found.equals(identity)) {
            throw new CoordinatorUnusableException(file() + " says '" + found.replace("\n", ", ")
                    + "', and this member is '" + identity.replace("\n", ", ")
                    + "': a folder belongs to one member of one group");
        }
        String vote = lines.get(LINES - 2).substring("vote ".length());
        return new RaftDisk(
                election.value(),
                Long.parseLong(lines.get(LINES - 3).substring("term ".length())),
                vote.equals(NOBODY) ? Optional.empty() : Optional.of(new MemberId(vote)));
    }

    private CoordinatorUnusableException damaged(String why) {
        return new CoordinatorUnusableException(file() + " is damaged, " + why
                + ": remove it, and this member takes part again once every other member has told its term");
    }

    /** Replaces what was written; it is durable once this returns. */
    void write(RaftDisk disk) throws IOException {
        String text = HEAD + "\n" + identity + "\nterm " + disk.term() + "\nvote "
                + disk.vote().map(MemberId::value).orElse(NOBODY);
        Path next = folder.resolve("member.new");
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text + "\n" + check(text) + "\n");
        try (FileChannel out = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(next, file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    private static String check(String text) {
        CRC32 sum = new CRC32();
        sum.update(text.getBytes(StandardCharsets.UTF_8));
        return "crc %08x".formatted(sum.getValue());
    }

    Path file() {
        return folder.resolve("member");
    }

    /** Lets another process have the folder. */
    @Override
    public void close() {
        try {
            lockFile.close();
        } catch (IOException endsWithTheProcess) {
            // The lock ends with this process at the latest.
        }
        TAKEN.remove(real);
    }
}
