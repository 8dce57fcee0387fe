package dev.incumbent.supervisor;

import java.io.File;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The running C program and the connection to it. Thread-safe. */
record SupervisorProcess(Process process, Wire wire) {
    private static final int LONGEST_SOCKET_PATH = 107;

    /** Starts the program and waits until it has connected. */
    static SupervisorProcess start(LaunchSpec spec, RunMark mark) throws SupervisorUnavailableException {
        try {
            Path folder = socketFolder(socketParents());
            try {
                return startAt(socketIn(folder), spec, mark);
            } finally {
                Files.deleteIfExists(socketIn(folder));
                Files.delete(folder);
            }
        } catch (IOException e) {
            throw new SupervisorUnavailableException("the supervisor " + spec.binary() + " does not start: " + e, e);
        }
    }

    private static SupervisorProcess startAt(Path address, LaunchSpec spec, RunMark mark) throws IOException {
        try (ServerSocketChannel door = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            door.bind(UnixDomainSocketAddress.of(address));
            Process process = builder(spec, mark, address).start();
            CompletableFuture<Void> noVisitor = process.onExit().thenRun(() -> Wire.closeQuietly(door));
            SocketChannel visitor = accept(door, process);
            noVisitor.cancel(false);
            return new SupervisorProcess(process, new Wire(visitor));
        }
    }

    private static ProcessBuilder builder(LaunchSpec spec, RunMark mark, Path address) {
        Inherited inherited = spec.inherited();
        ProcessBuilder builder = new ProcessBuilder(
                        spec.binary().toString(),
                        address.toString(),
                        Long.toHexString(inherited.ignoredSignals()),
                        Long.toHexString(inherited.blockedSignals()))
                .inheritIO();
        if (spec.inBackground()) {
            builder.command().add("background");
            builder.redirectInput(new File("/dev/null"));
        } else if (inherited.descriptors()) {
            builder.command().add("descriptors");
        }
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(LaunchSpec::isOfTheWrapper);
        environment.putAll(spec.environment());
        environment.put(RunMark.VARIABLE, mark.value());
        return builder;
    }

    private static SocketChannel accept(ServerSocketChannel door, Process process) throws IOException {
        try {
            return door.accept();
        } catch (IOException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    /** Where a folder for a socket may be made: one that can be written at the start may be full or read-only at a failover, hence several. */
    static List<Path> socketParents() {
        String runtime = System.getenv().getOrDefault("XDG_RUNTIME_DIR", "");
        List<Path> parents = new ArrayList<>(
                List.of(Path.of("/tmp"), Path.of(System.getProperty("java.io.tmpdir")), Path.of("/dev/shm")));
        if (!runtime.isEmpty()) {
            parents.add(Path.of(runtime));
        }
        parents.add(Path.of("/run"));
        return parents;
    }

    /** A socket's address is short, so a long TMPDIR is of no use. */
    static Path socketFolder(List<Path> parents) throws IOException {
        FileAttribute<?> ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        List<String> refused = new ArrayList<>();
        for (Path parent : parents) {
            try {
                Path folder = Files.createTempDirectory(parent, "incumbent-", ownerOnly);
                if (socketIn(folder).toString().length() <= LONGEST_SOCKET_PATH) {
                    return folder;
                }
                refused.add(parent + " is too long a path");
                Files.delete(folder);
            } catch (IOException e) {
                refused.add(e.toString());
            }
        }
        throw new IOException("no folder for a socket: " + String.join("; ", refused));
    }

    private static Path socketIn(Path folder) {
        return folder.resolve("s");
    }
}
