package dev.incumbent.stonith;

import dev.incumbent.model.Holder;
import dev.incumbent.model.NodeBoot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * This process on its machine, and whether another process of the same boot is gone. Reads {@code /proc}; thread-safe.
 *
 * <p>A process is called by its id, when it started, and its namespaces of ids and of time: in another container the same id may be another process, and what lives there is not seen from here.
 */
public final class LocalNode {
    private static final Path PROC = Path.of("/proc");
    private static final int MOST_TOLD = 3;
    /** How a process is called whose work others do. Versions that do not know this find it called otherwise than a process, and prove nothing. */
    private static final String FOR_OTHERS = "for-others:";

    private final Path proc;
    private final NodeBoot boot;
    private final Optional<String> mark;

    private LocalNode(Path proc, NodeBoot boot, Optional<String> mark) {
        this.proc = proc;
        this.boot = boot;
        this.mark = mark;
    }

    /**
     * This process, on the machine that fence agents call so. Throws an {@link IllegalStateException} where {@code /proc} does not tell.
     */
    public static LocalNode named(String node) {
        return in(PROC, node);
    }

    static LocalNode in(Path proc, String node) {
        try {
            ProcFiles files = new ProcFiles(proc);
            String process =
                    new ProcessName(files.own(), files.statOf(files.own()).startTicks(), files.namespaces()).text();
            return new LocalNode(proc, new NodeBoot(node, files.bootId(), process), Optional.empty());
        } catch (IOException untold) {
            throw new IllegalStateException(proc + " does not tell which process this is: " + untold, untold);
        }
    }

    /**
     * The same, for holders that start processes of their own, which may outlive them. Each has the holder's candidate id in this variable of its environment. A holder is then gone only if no
     * process has it, either; one whose environment this process may not read counts unless it is older than the holder.
     */
    public LocalNode markedBy(String variable) {
        return new LocalNode(proc, boot, Optional.of(variable));
    }

    /**
     * The same, for a process that leads for other programs, such as an agent. Its end does not end their work, so no other process of this machine takes its absence for a proof: its machine is turned
     * off from another one, or a person confirms that the work has stopped.
     */
    public LocalNode forOthers() {
        return new LocalNode(proc, new NodeBoot(boot.node(), boot.bootId(), FOR_OTHERS + boot.process()), mark);
    }

    /** Where this process runs; for {@link dev.incumbent.Stonith}. */
    public NodeBoot boot() {
        return boot;
    }

    /** Why that holder may still act in this boot of this machine; empty where it is gone. */
    public Optional<String> obstacle(Holder holder) {
        if (!holder.on().node().equals(boot.node()) || !holder.on().bootId().equals(boot.bootId())) {
            return Optional.of(holder + " is not of this boot of this machine, which is " + boot);
        }
        try {
            return obstacle(holder, new ProcFiles(proc));
        } catch (IOException unread) {
            return Optional.of("whether " + holder + " is gone could not be read: " + unread);
        }
    }

    private Optional<String> obstacle(Holder holder, ProcFiles files) throws IOException {
        if (holder.on().process().startsWith(FOR_OTHERS)) {
            return Optional.of(holder.candidate()
                    + " led for other programs of this machine, and its own end does not show that they have stopped: see"
                    + " that they have, then confirm that");
        }
        Optional<ProcessName> name = ProcessName.parse(holder.on().process());
        if (name.isEmpty()) {
            return Optional.of(holder
                    + " is called otherwise than 'pid:start:namespaces', so this machine cannot be asked for it");
        }
        if (!name.get().namespaces().equals(files.namespaces())) {
            return Optional.of(
                    holder + " runs in other namespaces, such as those of another container: it is not seen from here");
        }
        Optional<String> blind = files.whyBlind();
        if (blind.isPresent()) {
            return blind;
        }
        Optional<ProcFiles.Stat> found = files.find(name.get().pid());
        if (found.filter(stat -> stat.startTicks() == name.get().startTicks() && !stat.isEmptied())
                .isPresent()) {
            return Optional.of("process " + name.get().pid() + " of " + holder.candidate()
                    + " still runs on this machine: end it");
        }
        if (mark.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> left = left(holder, name.get(), files);
        return left.isPresent()
                ? left
                : left(holder, name.get(), files); // one may have been born behind the first look
    }

    /** What a holder that is gone may have left behind. */
    private Optional<String> left(Holder holder, ProcessName name, ProcFiles files) throws IOException {
        byte[] entry = (mark.orElseThrow() + "=" + holder.candidate().value()).getBytes(StandardCharsets.UTF_8);
        List<Long> left = files.pids().stream()
                .filter(pid -> pid != files.ownUnchecked() && mayBeOf(pid, entry, name, files))
                .limit(MOST_TOLD)
                .toList();
        return left.isEmpty()
                ? Optional.empty()
                : Optional.of("processes of " + holder.candidate() + " may still run on this machine, " + left
                        + ": each has it in " + mark.orElseThrow()
                        + " of its environment, or is younger and may not be read: end them, or run as root");
    }

    private static boolean mayBeOf(long pid, byte[] entry, ProcessName name, ProcFiles files) {
        try {
            return contains(files.environment(pid), entry);
        } catch (NoSuchFileException gone) {
            return false;
        } catch (IOException unread) {
            return isYounger(pid, name, files);
        }
    }

    private static boolean isYounger(long pid, ProcessName name, ProcFiles files) {
        try {
            return files.find(pid)
                    .filter(stat -> !stat.isOfKernel() && !stat.isEmptied() && stat.startTicks() >= name.startTicks())
                    .isPresent();
        } catch (IOException unread) {
            return true;
        }
    }

    private static boolean contains(byte[] environment, byte[] entry) {
        int begin = 0;
        for (int i = 0; i <= environment.length; i++) {
            if (i == environment.length || environment[i] == 0) {
                if (Arrays.equals(environment, begin, i, entry, 0, entry.length)) {
                    return true;
                }
                begin = i + 1;
            }
        }
        return false;
    }

    /** What a process is called among all of one boot. */
    private record ProcessName(long pid, long startTicks, String namespaces) {
        String text() {
            return pid + ":" + startTicks + ":" + namespaces;
        }

        static Optional<ProcessName> parse(String text) {
            String[] parts = text.split(":", 3);
            try {
                return parts.length < 3
                        ? Optional.empty()
                        : Optional.of(new ProcessName(Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts[2]));
            } catch (NumberFormatException other) {
                return Optional.empty();
            }
        }
    }
}
