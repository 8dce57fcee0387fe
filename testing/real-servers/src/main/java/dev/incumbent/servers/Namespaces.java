package dev.incumbent.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A network of members, each in a network namespace of its own, around a bridge in one more, on which packets can be lost in either direction. This machine has a leg in it, too. Needs root, or the
 * capabilities to make namespaces; else {@link Forbidden}.
 *
 * <p>A network has one number of {@value #NETWORKS}, which gives its names ({@code icn7-hub}, {@code icn7-m1}) and its addresses (198.18.7.0/24, of the range that is set aside for testing networks). A
 * locked file keeps the number as long as this JVM lives; what a killed JVM left behind is removed by the next one that opens a network. Not thread-safe.
 */
public final class Namespaces implements AutoCloseable {
    private static final int NETWORKS = 250;
    private static final String HOST = "host";
    private static final Pattern OURS = Pattern.compile("\\bicn(\\d{1,3})-(?:hub|m\\d+)\\b");
    private static final long LONGEST_FAREWELL_SECONDS = 10;

    private final int number;
    private final int members;
    private final FileChannel lock;
    private final Thread atExit = new Thread(this::remove, "incumbent-namespaces-end");
    private boolean isRemoved;

    private Namespaces(int number, int members, FileChannel lock) {
        this.number = number;
        this.members = members;
        this.lock = lock;
    }

    /** This machine does not let us make networks. The message is one sentence. */
    public static final class Forbidden extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Forbidden(Throwable cause) {
            super(
                    "no network of namespaces can be made here, which takes root with CAP_SYS_ADMIN and CAP_NET_ADMIN, ip and nft: "
                            + String.valueOf(cause.getMessage())
                                    .replaceAll("\\s+", " ")
                                    .strip(),
                    cause);
        }
    }

    /** Makes a network of so many members. */
    public static Namespaces open(int members) {
        Namespaces network;
        try {
            sweep();
            network = withFreeNumber(members);
        } catch (IllegalStateException | UncheckedIOException refused) {
            throw new Forbidden(refused);
        }
        try {
            network.build();
        } catch (IllegalStateException | UncheckedIOException refused) {
            network.close();
            throw new Forbidden(refused);
        }
        Runtime.getRuntime().addShutdownHook(network.atExit);
        return network;
    }

    private static Namespaces withFreeNumber(int members) {
        int first = ThreadLocalRandom.current().nextInt(NETWORKS);
        for (int i = 0; i < NETWORKS; i++) {
            int number = (first + i) % NETWORKS;
            List<FileChannel> lock = lock(number);
            if (!lock.isEmpty()) {
                return new Namespaces(number, members, lock.get(0));
            }
        }
        throw new IllegalStateException("all of " + NETWORKS + " networks are in use");
    }

    /** The lock of a number; none where somebody has it. */
    private static List<FileChannel> lock(int number) {
        try {
            FileChannel channel = FileChannel.open(
                    Path.of(System.getProperty("java.io.tmpdir"), "incumbent-network-" + number + ".lock"),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE);
            if (isLocked(channel)) {
                return List.of(channel);
            }
            channel.close();
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException ourOwn) {
            return false;
        }
    }

    /** Removes what JVMs left behind that live no more. */
    private static void sweep() {
        String left = run("ip", "netns", "list");
        Matcher names = OURS.matcher(left);
        while (names.find()) {
            for (FileChannel lock : lock(Integer.parseInt(names.group(1)))) {
                try (lock) {
                    unplug("icn" + names.group(1) + "-" + HOST);
                    delete(names.group());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void build() {
        String hub = name("hub");
        run("ip", "netns", "add", hub);
        in(hub, "ip", "link", "add", "bridge", "type", "bridge");
        in(hub, "ip", "link", "set", "bridge", "up");
        in(hub, "nft", "add table bridge cuts");
        in(hub, "nft", "add chain bridge cuts lost { type filter hook forward priority 0; }");
        for (int i = 0; i < members; i++) {
            String member = name(port(i));
            run("ip", "netns", "add", member);
            run("ip", "-n", hub, "link", "add", port(i), "type", "veth", "peer", "name", "eth0", "netns", member);
            attach(hub, port(i));
            in(member, "ip", "addr", "add", address(i) + "/24", "dev", "eth0");
            in(member, "ip", "link", "set", "eth0", "up");
            in(member, "ip", "link", "set", "lo", "up");
        }
        run("ip", "link", "add", name(HOST), "type", "veth", "peer", "name", HOST, "netns", hub);
        attach(hub, HOST);
        run("ip", "addr", "add", host() + "/24", "dev", name(HOST));
        run("ip", "link", "set", name(HOST), "up");
    }

    private static void attach(String hub, String port) {
        in(hub, "ip", "link", "set", port, "master", "bridge");
        in(hub, "ip", "link", "set", port, "up");
    }

    /** Where the member of that number, from 0 on, runs. */
    public Place member(int member) {
        return new Place(address(member), List.of("ip", "netns", "exec", name(port(member))));
    }

    public List<Place> all() {
        return IntStream.range(0, members).mapToObj(this::member).toList();
    }

    /** From now on, what the one sends to the other is lost. */
    public void cut(int from, int to) {
        lose(port(from), port(to));
    }

    /** From now on, so many of a hundred packets that the one sends to the other are lost. */
    public void lose(int from, int to, int ofHundred) {
        in(
                name("hub"),
                "nft",
                "add rule bridge cuts lost iifname " + port(from) + " oifname " + port(to) + " numgen random mod 100 < "
                        + ofHundred + " drop");
    }

    /** The address by which members reach this machine. */
    public String host() {
        return prefix() + "254";
    }

    /** From now on, what this machine and that member send to one another is lost. */
    public void cutFromHost(int member) {
        lose(port(member), HOST);
        lose(HOST, port(member));
    }

    private void lose(String from, String to) {
        in(name("hub"), "nft", "add rule bridge cuts lost iifname " + from + " oifname " + to + " drop");
    }

    /** Nothing is lost any more. */
    public void heal() {
        in(name("hub"), "nft", "flush chain bridge cuts lost");
    }

    private String address(int member) {
        return prefix() + (member + 1);
    }

    private String prefix() {
        return "198.18." + number + ".";
    }

    private static String port(int member) {
        return "m" + (member + 1);
    }

    private String name(String part) {
        return "icn" + number + "-" + part;
    }

    private static void in(String namespace, String... line) {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
        all.addAll(List.of(line));
        Programs.output(all, Map.of());
    }

    private static String run(String... line) {
        return Programs.output(List.of(line), Map.of());
    }

    /** With all that runs in it, and with the cables that end in it. */
    private static void delete(String namespace) {
        try {
            run("ip", "netns", "pids", namespace)
                    .lines()
                    .map(pid -> ProcessHandle.of(Long.parseLong(pid.strip())))
                    .forEach(process -> process.ifPresent(Namespaces::end));
            run("ip", "netns", "del", namespace);
        } catch (IllegalStateException gone) {
            if (Files.exists(Path.of("/run/netns", namespace))) {
                throw gone;
            }
        }
    }

    /** A cable between namespaces outlives them for a while. */
    private static void unplug(String cable) {
        if (Files.exists(Path.of("/sys/class/net", cable))) {
            run("ip", "link", "del", cable);
        }
    }

    private static void end(ProcessHandle process) {
        process.destroyForcibly();
        process.onExit()
                .completeOnTimeout(process, LONGEST_FAREWELL_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    private synchronized void remove() {
        if (!isRemoved) {
            isRemoved = true;
            unplug(name(HOST));
            IntStream.range(0, members).forEach(i -> delete(name(port(i))));
            delete(name("hub"));
        }
    }

    /** Removes the network, with whatever still runs in it. */
    @Override
    public void close() {
        remove();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException ending) {
            // The hook finds nothing more to do.
        }
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
