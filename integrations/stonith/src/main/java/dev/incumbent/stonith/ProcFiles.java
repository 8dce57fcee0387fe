package dev.incumbent.stonith;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What Linux's {@code /proc} tells of processes. An error of reading is one, and never says that a process is gone. */
final class ProcFiles {
    /** Fields of {@code stat}, counted after the name in brackets: state, flags, threads and start are the 3rd, 9th, 20th and 22nd of all. */
    private static final int STATE = 0;

    private static final int FLAGS = 6;
    private static final int THREADS = 17;
    private static final int START = 19;
    private static final long KERNEL_THREAD = 0x0020_0000;

    private final Path proc;

    ProcFiles(Path proc) {
        this.proc = proc;
    }

    /** One process. */
    record Stat(char state, long flags, long threads, long startTicks) {
        /** Has it ended, and is only not yet reaped? The first thread of one whose other threads run looks the same, but for their number. */
        boolean isEmptied() {
            return (state == 'Z' || state == 'X') && threads <= 1;
        }

        boolean isOfKernel() {
            return (flags & KERNEL_THREAD) != 0;
        }
    }

    String bootId() throws IOException {
        return text(proc.resolve("sys/kernel/random/boot_id"));
    }

    /** This process's id, as this folder has it. */
    long own() throws IOException {
        return Long.parseLong(Files.readSymbolicLink(proc.resolve("self")).toString());
    }

    /** The id as the JDK has it. */
    long ownUnchecked() {
        return ProcessHandle.current().pid();
    }

    /** The namespaces of ids and of times that this process is in. */
    String namespaces() throws IOException {
        return namespace("pid") + "," + namespace("time");
    }

    private String namespace(String kind) throws IOException {
        Path link = proc.resolve("self/ns").resolve(kind);
        String text = Files.isSymbolicLink(link) ? Files.readSymbolicLink(link).toString() : kind + ":none";
        return text.replaceAll("[^0-9a-z]", "");
    }

    /** Why processes may live that are not seen here, if so. */
    Optional<String> whyBlind() throws IOException {
        if (own() != ownUnchecked()) {
            return Optional.of(
                    proc + " is another container's: it calls this process " + own() + ", which is " + ownUnchecked());
        }
        for (String line : Files.readAllLines(proc.resolve("self/mountinfo"))) {
            boolean hides = line.contains(" - proc ")
                    && line.contains("hidepid=")
                    && !line.contains("hidepid=0")
                    && !line.contains("hidepid=off");
            if (hides) {
                return Optional.of(proc + " is mounted with hidepid, so processes of others are not seen");
            }
        }
        return Optional.empty();
    }

    Stat statOf(long pid) throws IOException {
        return find(pid).orElseThrow(() -> new IOException("no process " + pid + " in " + proc));
    }

    /** That process; empty where there is none. */
    Optional<Stat> find(long pid) throws IOException {
        String text;
        try {
            text = text(proc.resolve(Long.toString(pid)).resolve("stat"));
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        }
        String[] fields = text.substring(text.lastIndexOf(')') + 1).strip().split(" ", -1);
        if (fields.length <= START) {
            throw new IOException("stat of process " + pid + " has " + fields.length + " fields after its name");
        }
        return Optional.of(new Stat(
                fields[STATE].charAt(0),
                Long.parseLong(fields[FLAGS]),
                Long.parseLong(fields[THREADS]),
                Long.parseLong(fields[START])));
    }

    List<Long> pids() throws IOException {
        List<Long> pids = new ArrayList<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path folder : folders) {
                pids.add(Long.parseLong(folder.getFileName().toString()));
            }
        }
        return pids;
    }

    byte[] environment(long pid) throws IOException {
        return Files.readAllBytes(proc.resolve(Long.toString(pid)).resolve("environ"));
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).strip();
    }
}
