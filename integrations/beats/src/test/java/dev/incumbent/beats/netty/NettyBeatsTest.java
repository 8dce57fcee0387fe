package dev.incumbent.beats.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.beats.BeatDriver;
import dev.incumbent.beats.BeatEffect;
import dev.incumbent.beats.BeatEvent;
import dev.incumbent.beats.BeatTransport;
import dev.incumbent.beats.Rhythm;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that hear each other over real sockets, each with a thread of its own. */
@Tag("realtime")
class NettyBeatsTest {
    private static final ElectionName BILLING = new ElectionName("billing");

    @TempDir
    Path folder;

    private final List<Member> processes = new ArrayList<>();
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        processes.forEach(process -> process.driver.close());
    }

    @Test
    void aLeaderIsHeardAndOnceItIsGoneSuspected() throws Exception {
        Member ada = process("ada", open());
        Member bob = process("bob", open());
        ada.driver.leads(Map.of(BILLING, 7L));
        bob.driver.follows(Map.of(ada.id, ada.transport.address()));
        assertTold("bob hears ada {billing=7}");

        ada.dies();

        assertTold("bob suspects ada {billing=7} GONE");
    }

    @RepeatedTest(5)
    void aLeaderThatLeavesIsNotSuspected() throws Exception {
        Member ada = process("ada", open());
        Member bob = process("bob", open());
        ada.driver.leads(Map.of(BILLING, 7L));
        bob.driver.follows(Map.of(ada.id, ada.transport.address()));
        assertTold("bob hears ada {billing=7}");

        ada.driver.close();

        assertNothingIsTold();
    }

    @Test
    void aTermThatIsWonLaterIsHeardOverTheSameConnection() throws Exception {
        Member ada = process("ada", open());
        Member bob = process("bob", open());
        ada.driver.leads(Map.of(BILLING, 7L));
        bob.driver.follows(Map.of(ada.id, ada.transport.address()));
        assertTold("bob hears ada {billing=7}");

        ada.driver.leads(Map.of(BILLING, 8L, new ElectionName("payroll"), 3L));

        assertTold("bob hears ada {billing=8, payroll=3}");
    }

    @Test
    void tenThousandTermsAreHeard() throws Exception {
        Member ada = process("ada", open());
        Member bob = process("bob", open());
        Map<ElectionName, Long> terms = new java.util.TreeMap<>();
        for (int i = 0; i < 10_000; i++) {
            terms.put(new ElectionName("election-of-a-name-that-is-not-short/" + i), (long) i + 1);
        }
        ada.driver.leads(terms);
        bob.driver.follows(Map.of(ada.id, ada.transport.address()));

        assertTold(line -> line.startsWith("bob hears ada") && line.contains("/9999=10000"));
    }

    @Test
    void aProcessThatListensAtTheAddressOfAnotherIsNotHeard() throws Exception {
        Member ada = process("ada", open());
        Member bob = process("bob", open());
        ada.driver.leads(Map.of(BILLING, 7L));

        bob.driver.follows(Map.of(new CandidateId("cay"), ada.transport.address()));

        assertNothingIsTold();
    }

    /** The address stands in a record that another process wrote. */
    @Test
    void aLeaderWhoseAddressIsNoneKeepsNobodyFromHearingOthers() throws Exception {
        Member ada = process("ada", open());
        Member bob = process("bob", open());
        ada.driver.leads(Map.of(BILLING, 7L));

        bob.driver.follows(Map.of(new CandidateId("aaa"), "nonsense", ada.id, ada.transport.address()));

        assertThat(told.poll(10, TimeUnit.SECONDS)).isEqualTo("bob hears ada {billing=7}");
    }

    @Test
    void aNameThatIsLookedUpForLongDelaysNobody() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        Member ada = process("ada", open());
        Member bob = process("bob", lookingUp(host -> {
            if (host.equals("slow")) {
                awaited(answered);
            }
            return addresses("127.0.0.1");
        }));
        ada.driver.leads(Map.of(BILLING, 7L));

        bob.driver.follows(Map.of(new CandidateId("aaa"), "slow:7400", ada.id, ada.transport.address()));

        assertTold("bob hears ada {billing=7}");
        answered.countDown();
    }

    @Test
    void aNameThatNobodyHasIsTriedAgain() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        Member ada = process("ada", open());
        Member bob = process("bob", lookingUp(host -> {
            if (asked.incrementAndGet() < 3) {
                throw new UnknownHostException(host);
            }
            return addresses("127.0.0.1");
        }));
        ada.driver.leads(Map.of(BILLING, 7L));

        bob.driver.follows(Map.of(ada.id, ada.transport.address()));

        assertTold("bob hears ada {billing=7}");
        assertThat(asked).hasValue(3);
    }

    @Test
    void eachAddressOfAHostIsTried() throws Exception {
        Member ada = process("ada", open());
        Member bob = process("bob", lookingUp(host -> addresses("127.0.0.3", "127.0.0.1")));
        ada.driver.leads(Map.of(BILLING, 7L));

        bob.driver.follows(Map.of(ada.id, ada.transport.address()));

        assertTold("bob hears ada {billing=7}");
        ada.dies();
        assertTold("bob suspects ada {billing=7} GONE");
    }

    static InetAddress[] addresses(String... numbers) throws UnknownHostException {
        InetAddress[] addresses = new InetAddress[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            addresses[i] = InetAddress.getByName(numbers[i]);
        }
        return addresses;
    }

    /** Nobody reads what arrives before somebody listens to it. */
    @Test
    void whatConnectsBeforeTheBeginningIsHeardAfterIt() throws Exception {
        CandidateId id = new CandidateId("ada");
        BeatTransport early = open().open(id);
        Member bob = process("bob", open());
        bob.driver.follows(Map.of(id, early.address()));
        assertNothingIsTold();

        BeatDriver ada = BeatDriver.start(id, Rhythm.DEFAULT, early, bob);
        ada.leads(Map.of(BILLING, 7L));

        assertTold("bob hears ada {billing=7}");
        ada.close();
    }

    /** Whoever has not shown a key may not have it keep much. */
    @Test
    void aGreetingThatIsTooLongEndsTheConnectionBeforeItIsRead() throws Exception {
        Member ada = process("ada", open());
        HostPort at = HostPort.of(ada.transport.address());
        try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), at.port())) {
            stranger.setSoTimeout(800); // before the handshake's own end
            new DataOutputStream(stranger.getOutputStream()).writeInt(4_097);

            assertThat(stranger.getInputStream().read()).isEqualTo(-1);
        }
        assertNothingIsTold();
    }

    @Test
    void soManyStrangersAndNoMoreAreListenedTo() throws Exception {
        Member ada = process("ada", open());
        HostPort at = HostPort.of(ada.transport.address());
        List<Socket> strangers = new ArrayList<>();
        try {
            for (int i = 0; i < 3 * NettyTransport.MOST_STRANGERS; i++) {
                strangers.add(new Socket(InetAddress.getLoopbackAddress(), at.port()));
            }
            Socket last = strangers.get(strangers.size() - 1);
            last.setSoTimeout(800);

            assertThat(last.getInputStream().read()).as("ended at once").isEqualTo(-1);
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }
        Member bob = process("bob", open());
        ada.driver.leads(Map.of(BILLING, 7L));
        bob.driver.follows(Map.of(ada.id, ada.transport.address()));
        assertTold("bob hears ada {billing=7}");
    }

    /** What is listened to is counted once: as many again may come after those have gone, and who is known is no stranger. Few stay, for all that stay are linked. */
    @Test
    void whoIsKnownIsNoStrangerAnyMore() throws Exception {
        Member ada = process("ada", open());
        ada.driver.leads(Map.of(BILLING, 7L));
        for (int i = 0; i < NettyTransport.MOST_STRANGERS + 5; i++) {
            Member one = process("one-" + i, open());
            one.driver.follows(Map.of(ada.id, ada.transport.address()));
            assertTold("one-" + i + " hears ada {billing=7}");
            if (i % 8 > 0) {
                one.driver.close();
            }
        }
    }

    @Test
    void keysAreReadAgainWhenTheirFileChanges() throws Exception {
        Path shared = Files.writeString(folder.resolve("shared"), "the old key of some length\n");
        Member ada =
                process("ada", NettyBeats.listen("127.0.0.1:0").keys(shared).build());
        ada.driver.leads(Map.of(BILLING, 7L));
        Member bob = process("bob", keys("the new key of some length"));
        bob.driver.follows(Map.of(ada.id, ada.transport.address()));
        assertNothingIsTold();

        Files.writeString(shared, "the old key of some length\nthe new key of some length\n");

        assertTold("bob hears ada {billing=7}");
    }

    @Test
    void anAlarmThatIsSetAgainRingsOnce() throws Exception {
        BeatTransport transport = open().open(new CandidateId("ada"));
        BlockingQueue<BeatEvent> heard = new LinkedBlockingQueue<>();
        transport.begin(heard::add);
        transport.execute(() -> {
            for (int i = 0; i < 100; i++) {
                transport.wakeAt(transport.nanos() + 1_000_000);
            }
        });

        assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo(new BeatEvent.Woken());
        assertThat(heard.poll(300, TimeUnit.MILLISECONDS)).isNull();
        transport.close();
    }

    @Test
    void whoSaysNothingIsNotWaitedFor() throws Exception {
        Member ada = process("ada", open());
        HostPort at = HostPort.of(ada.transport.address());
        try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), at.port())) {
            stranger.setSoTimeout(5_000);

            assertThat(stranger.getInputStream().read()).isEqualTo(-1);
        }
    }

    private static void awaited(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static BeatTransport.Source lookingUp(Names.Lookup lookup) {
        return me -> new NettyTransport(
                me,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                listening -> "127.0.0.1:" + listening.getPort(),
                Keys.none(),
                new Names(lookup));
    }

    @Test
    void whoKnowsAnotherKeyHearsNothing() throws Exception {
        Member ada = process("ada", keys("a key of some length"));
        Member bob = process("bob", keys("another key of some length"));
        ada.driver.leads(Map.of(BILLING, 7L));

        bob.driver.follows(Map.of(ada.id, ada.transport.address()));

        assertNothingIsTold();
    }

    /** While a key is replaced, some have the old one alone, some both, in either order. */
    @Test
    void whoSharesOneOfSeveralKeysHears() throws Exception {
        Member ada = process("ada", keys("the old key of some length\nthe new key of some length"));
        Member bob = process("bob", keys("the new key of some length"));
        ada.driver.leads(Map.of(BILLING, 7L));

        bob.driver.follows(Map.of(ada.id, ada.transport.address()));

        assertTold("bob hears ada {billing=7}");
    }

    @Test
    void beyondThisMachineItWantsKeys() throws Exception {
        assertThatThrownBy(() -> NettyBeats.listen("0.0.0.0:0").build())
                .hasMessage(
                        "beats listen at 0.0.0.0:0, beyond this machine, without keys: name a file of keys, or say that"
                                + " it may be insecure");

        assertThatThrownBy(() -> NettyBeats.listen("0.0.0.0:0").insecure().build())
                .hasMessageEndingWith("by which no other process reaches this one: advertise another address");
        assertThatThrownBy(() -> NettyBeats.listen("0.0.0.0:0")
                        .insecure()
                        .advertise("0.0.0.0:0")
                        .build())
                .hasMessageContaining("every address of a machine and none of this one");
        NettyBeats insecure = NettyBeats.listen("0.0.0.0:0")
                .insecure()
                .advertise("127.0.0.1:0")
                .build();
        Member ada = process("ada", insecure);
        Member bob = process("bob", open());
        ada.driver.leads(Map.of(BILLING, 7L));
        bob.driver.follows(Map.of(ada.id, ada.transport.address()));
        assertTold("bob hears ada {billing=7}");
    }

    @Test
    void keysThatAreNoneAreRefused() throws Exception {
        assertThatThrownBy(() -> keys("short"))
                .hasMessageContaining("is shorter than 16")
                .hasMessageNotContaining("short\n");
        assertThatThrownBy(() -> keys("a key of some length\n".repeat(3)))
                .hasMessageEndingWith("holds 3 lines; it may hold two tokens, one a line");
        assertThatThrownBy(() -> keys("")).hasMessageEndingWith("is empty");
        assertThatThrownBy(() -> NettyBeats.listen("127.0.0.1:0")
                        .keys(folder.resolve("missing"))
                        .build())
                .isInstanceOf(IOException.class);
    }

    @Test
    void aPortThatIsTakenIsTold() throws Exception {
        Member ada = process("ada", open());

        assertThatThrownBy(
                        () -> NettyBeats.listen(ada.transport.address()).build().open(new CandidateId("bob")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("beats cannot listen at 127.0.0.1:");
    }

    private static NettyBeats open() throws IOException {
        return NettyBeats.listen("127.0.0.1:0").build();
    }

    private NettyBeats keys(String text) throws IOException {
        Path file = Files.createTempFile(folder, "keys", "");
        Files.writeString(file, text + "\n");
        return NettyBeats.listen("127.0.0.1:0").keys(file).build();
    }

    private Member process(String name, BeatTransport.Source beats) {
        Member process = new Member(new CandidateId(name), beats);
        processes.add(process);
        return process;
    }

    private void assertTold(String line) throws InterruptedException {
        assertTold(line::equals);
    }

    private void assertTold(Predicate<String> wanted) throws InterruptedException {
        String next = told.poll(10, TimeUnit.SECONDS);
        while (next != null && !wanted.test(next)) {
            next = told.poll(10, TimeUnit.SECONDS);
        }
        if (next == null) {
            throw new AssertionError("not within 10 s: what was waited for was told");
        }
    }

    /** Within some silences. */
    private void assertNothingIsTold() throws InterruptedException {
        assertThat(told.poll(700, TimeUnit.MILLISECONDS)).isNull();
    }

    /** One process, with what it hears. */
    private final class Member implements BeatDriver.Listener {
        final CandidateId id;
        final BeatTransport transport;
        final BeatDriver driver;

        Member(CandidateId id, BeatTransport.Source beats) {
            this.id = id;
            this.transport = beats.open(id);
            this.driver = BeatDriver.start(id, Rhythm.DEFAULT, transport, this);
        }

        /** Its connections end, and its port is closed, without a goodbye. */
        void dies() {
            transport.close();
        }

        @Override
        public void heard(CandidateId leader, Map<ElectionName, Long> terms) {
            told.add(id + " hears " + leader + " " + terms);
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
