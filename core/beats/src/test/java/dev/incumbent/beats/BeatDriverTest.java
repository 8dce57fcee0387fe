package dev.incumbent.beats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What the driver makes of a listener that throws, and of its own end. */
class BeatDriverTest {
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final CandidateId BOB = new CandidateId("bob");

    private final Line line = new Line();
    private final List<String> told = new ArrayList<>();
    private boolean throwsOnce;

    private final BeatDriver driver =
            BeatDriver.start(new CandidateId("ada"), Rhythm.DEFAULT, line, new BeatDriver.Listener() {
                @Override
                public void heard(CandidateId leader, Map<ElectionName, Long> terms) {
                    if (throwsOnce) {
                        throwsOnce = false;
                        throw new IllegalStateException("once");
                    }
                    told.add("hears " + leader + " " + terms);
                }

                @Override
                public void suspected(CandidateId leader, Map<ElectionName, Long> terms, BeatEffect.Reason why) {
                    told.add("suspects " + leader);
                }

                @Override
                public void mistaken(CandidateId leader, int patience) {
                    told.add("was mistaken");
                }

                @Override
                public void failed(BeatEvent event, Throwable why) {
                    told.add("failed: " + why.getMessage());
                }
            });

    @Test
    void aListenerThatThrowsIsToldAndTheNextBeatStillLeaves() {
        line.hears.accept(new BeatEvent.Connected(1, new Peer(BOB, "bob:1"), false));
        throwsOnce = true;
        line.hears.accept(new BeatEvent.Received(1, change(0, 1)));

        assertThat(told).containsExactly("failed: once");
        assertThat(line.wakesAt).isEqualTo(line.now + Rhythm.DEFAULT.beat().toNanos());

        line.sent.clear();
        line.now = line.wakesAt;
        line.hears.accept(new BeatEvent.Woken());
        assertThat(line.sent).anyMatch(message -> message instanceof Message.Beat);
    }

    @Test
    void whatElectionsTellGoesToTheMachineOnTheTransportsThread() {
        line.hears.accept(new BeatEvent.Connected(1, new Peer(BOB, "bob:1"), false));
        line.hears.accept(new BeatEvent.Received(1, change(0, 1)));
        told.clear();

        driver.stands(BILLING);
        assertThat(told).as("not on this thread").isEmpty();
        line.runAll();
        assertThat(told).containsExactly("hears bob {billing=7}");

        driver.follows(Map.of(new CandidateId("cay"), "cay:1"));
        driver.leads(Map.of(BILLING, 8L));
        line.runAll();
        assertThat(line.dialled).containsExactly(new Peer(new CandidateId("cay"), "cay:1"));
        assertThat(line.sent)
                .anyMatch(message -> message instanceof Message.Change change
                        && change.terms().equals(Map.of(BILLING, 8L)));

        driver.close();
        line.runAll();
        assertThat(line.sent).endsWith(new Message.Goodbye());
        assertThat(line.isClosed).isTrue();
    }

    private static Message.Change change(long from, long to) {
        return new Message.Change(from, to, Map.of(BILLING, 7L), Set.of(), Map.of(), Set.of());
    }

    /** Connections that only note what is asked of them. */
    private static final class Line implements BeatTransport {
        final List<Runnable> waiting = new ArrayList<>();
        final List<Message> sent = new ArrayList<>();
        final List<Peer> dialled = new ArrayList<>();
        Consumer<BeatEvent> hears = event -> {};
        long now = 1_000_000_000;
        long wakesAt;
        boolean isClosed;

        void runAll() {
            List.copyOf(waiting).forEach(Runnable::run);
            waiting.clear();
        }

        @Override
        public String address() {
            return "ada:1";
        }

        @Override
        public long nanos() {
            return now;
        }

        @Override
        public void begin(Consumer<BeatEvent> consumer) {
            hears = consumer;
        }

        @Override
        public void execute(Runnable task) {
            waiting.add(task);
        }

        @Override
        public void wakeAt(long nanos) {
            wakesAt = nanos;
        }

        @Override
        public void dial(Peer peer) {
            dialled.add(peer);
        }

        @Override
        public void send(long connection, Message message) {
            sent.add(message);
        }

        @Override
        public void drop(long connection) {}

        @Override
        public void close() {
            isClosed = true;
        }
    }
}
