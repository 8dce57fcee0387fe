package dev.incumbent.beats.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.beats.BeatDriver;
import dev.incumbent.beats.BeatEffect;
import dev.incumbent.beats.BeatEvent;
import dev.incumbent.beats.BeatTransport;
import dev.incumbent.beats.Message;
import dev.incumbent.beats.Peer;
import dev.incumbent.beats.Rhythm;
import dev.incumbent.fuzz.Footprint;
import dev.incumbent.fuzz.Seeds;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever strangers, and holders of the key, send to the port of beats: two processes go on hearing each other, and nothing is left behind. */
@Tag("realtime")
class MalformedBeatsTest {
    private static final Seeds SEEDS = Seeds.ofThisRun();
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final int AT_ONCE = 4;
    private static final int READ_MILLIS = 300;
    private static final int MORE = 12;
    private static final long MORE_HEAP = 32 << 20;
    private static final int SORTS = 10;

    @TempDir
    Path folder;

    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private Path keys = Path.of("");
    private Member ada;
    private Member bob;

    @BeforeEach
    void start() throws Exception {
        keys = Files.writeString(folder.resolve("keys"), "a key of some length\n");
        ada = new Member("ada");
        bob = new Member("bob");
        ada.driver.leads(Map.of(BILLING, 1L));
        bob.driver.follows(Map.of(ada.id, ada.transport.address()));
        assertThat(told.poll(10, TimeUnit.SECONDS)).isEqualTo("bob hears ada {billing=1}");
    }

    @AfterEach
    void end() {
        ada.driver.close();
        bob.driver.close();
    }

    static Stream<Long> seeds() {
        return SEEDS.seeds().stream();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nobodyIsMissedAndNothingIsLeftBehind(long seed) throws Exception {
        send(seed, 0, 20);
        Footprint before = Footprint.of(ProcessHandle.current().pid());

        send(seed, 20, SEEDS.requestsOfEach());

        List<String> grown = Footprint.settled(
                Duration.ofSeconds(30),
                () -> Footprint.of(ProcessHandle.current().pid()).growthSince(before, MORE, MORE_HEAP));
        assertThat(grown).as(SEEDS.replay(seed)).isEmpty();
        assertThat(told).as("what was told meanwhile; " + SEEDS.replay(seed)).isEmpty();
        ada.driver.leads(Map.of(BILLING, 2L));
        assertThat(told.poll(10, TimeUnit.SECONDS)).isEqualTo("bob hears ada {billing=2}");
        System.out.println("seed " + seed + ", " + SEEDS.requestsOfEach()
                + " connections to the port of beats, before: " + before);
    }

    private void send(long seed, int from, int to) {
        List<CompletableFuture<Void>> senders = IntStream.range(0, AT_ONCE)
                .mapToObj(lane -> CompletableFuture.runAsync(() -> IntStream.range(from, to)
                        .filter(i -> i % AT_ONCE == lane)
                        .forEach(i -> connect(new Random(seed * 1_000_003 + i)))))
                .toList();
        senders.forEach(CompletableFuture::join);
    }

    private void connect(Random dice) {
        HostPort at = HostPort.of((dice.nextBoolean() ? ada : bob).transport.address());
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), at.port())) {
            socket.setSoTimeout(READ_MILLIS);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            send(dice, out, in);
            out.flush();
            assertThat(in.readAllBytes()).hasSizeLessThan(1 << 16);
        } catch (IOException ended) {
            // By the other end, or it says nothing more: as it may.
        }
    }

    private void send(Random dice, DataOutputStream out, DataInputStream in) throws IOException {
        Handshake stranger = new Handshake(
                new Peer(new CandidateId("stranger-" + dice.nextInt(3)), "127.0.0.1:9"), true, keys(dice));
        byte[] greeting = stranger.greeting();
        switch (dice.nextInt(SORTS)) {
            case 0 -> {}
            case 1 -> out.write(bytes(dice, dice.nextInt(300)));
            case 2 -> {
                out.writeInt(dice.nextInt());
                out.write(bytes(dice, dice.nextInt(5_000)));
            }
            case 3 -> frame(out, Arrays.copyOf(greeting, dice.nextInt(greeting.length)));
            case 4 -> frame(out, flipped(dice, greeting));
            case 5 -> {
                frame(out, greeting);
                frame(out, bytes(dice, dice.nextInt(64)));
            }
            case 6 -> {
                frame(out, greeting);
                out.writeInt(1 + dice.nextInt(200));
            }
            default -> afterTheHandshake(dice, stranger, out, in);
        }
    }

    private Keys keys(Random dice) throws IOException {
        return dice.nextInt(4) == 0 ? Keys.none() : Keys.in(keys);
    }

    private static void afterTheHandshake(Random dice, Handshake stranger, DataOutputStream out, DataInputStream in)
            throws IOException {
        frame(out, stranger.greeting());
        byte[] answer = new byte[in.readInt()];
        in.readFully(answer);
        var proof = stranger.heard(answer);
        if (proof.isEmpty()) {
            return;
        }
        frame(out, proof.get());
        Seal seal = stranger.sending();
        for (int i = dice.nextInt(8); i >= 0; i--) {
            byte[] text = dice.nextInt(3) == 0 ? bytes(dice, dice.nextInt(200)) : Wording.written(message(dice));
            byte[] sealed = seal.sealed(dice.nextInt(6) == 0 ? flipped(dice, text) : text);
            frame(out, dice.nextInt(8) == 0 ? flipped(dice, sealed) : sealed);
        }
    }

    private static Message message(Random dice) {
        CandidateId about = new CandidateId(dice.nextBoolean() ? "ada" : "nobody");
        return switch (dice.nextInt(5)) {
            case 0 -> new Message.Beat(dice.nextLong(), dice.nextInt(3));
            case 1 -> new Message.Acknowledged(dice.nextInt(5));
            case 2 -> new Message.Question(dice.nextLong(), about, dice.nextInt(3));
            case 3 -> new Message.Vote(dice.nextLong(), about);
            default ->
                new Message.Change(
                        dice.nextInt(3),
                        dice.nextInt(5),
                        Map.of(new ElectionName("other"), dice.nextLong(1, 9)),
                        Set.of(),
                        Map.of(new CandidateId("nobody"), "no address"),
                        Set.of());
        };
    }

    private static byte[] bytes(Random dice, int length) {
        byte[] bytes = new byte[length];
        dice.nextBytes(bytes);
        return bytes;
    }

    private static byte[] flipped(Random dice, byte[] bytes) {
        byte[] flipped = bytes.clone();
        if (flipped.length > 0) {
            flipped[dice.nextInt(flipped.length)] ^= (byte) (1 << dice.nextInt(8));
        }
        return flipped;
    }

    private static void frame(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** One of the two processes. */
    private final class Member implements BeatDriver.Listener {
        final CandidateId id;
        final BeatTransport transport;
        final BeatDriver driver;

        Member(String name) throws IOException {
            this.id = new CandidateId(name);
            this.transport = NettyBeats.listen("127.0.0.1:0").keys(keys).build().open(id);
            this.driver = BeatDriver.start(id, Rhythm.DEFAULT, transport, this);
        }

        @Override
        public void heard(CandidateId leader, Map<ElectionName, Long> terms) {
            if (!leader.value().startsWith("stranger")) {
                told.add(id + " hears " + leader + " " + terms);
            }
        }

        @Override
        public void suspected(CandidateId leader, Map<ElectionName, Long> terms, BeatEffect.Reason why) {
            told.add(id + " suspects " + leader + " " + terms + " " + why);
        }

        @Override
        public void mistaken(CandidateId leader, int patience) {
            told.add(id + " was mistaken of " + leader);
        }

        @Override
        public void failed(BeatEvent event, Throwable why) {
            told.add(id + " failed by " + event + ": " + why);
        }
    }
}
