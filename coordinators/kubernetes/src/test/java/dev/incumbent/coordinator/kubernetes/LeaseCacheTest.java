package dev.incumbent.coordinator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.Watching;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When the cache of all watches lists, probes and opens streams, and what it tells where lists, changes and deaths cross. */
class LeaseCacheTest {
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final ElectionName SHIPPING = new ElectionName("shipping");
    private static final LeaseId SESSION = Names.freshSession();
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final Ending THROTTLED = Ending.refused(429, 10 * SECOND);

    private final LeaseCache cache = new LeaseCache(ScriptedWatch.REQUEST_TIMEOUT, new Vigil());
    private final Watching billing = watching(BILLING);
    private long now;
    private double jitter;
    private long stream;

    /** Where WATCH is refused, and LIST works. */
    @Test
    void aStreamThatIsRefusedIsTriedWithGrowingPausesAndListsKeepTheirRhythm() {
        list(billing, 10);

        assertThat(playedFor(12 * SECOND, Ending.BROKEN))
                .containsExactly(
                        "100 stream",
                        "300 stream",
                        "700 stream",
                        "1500 stream",
                        "3100 stream",
                        "4000 list",
                        "6300 stream",
                        "8000 list",
                        "10300 stream",
                        "12000 list");
    }

    @Test
    void aStreamThatEndsAtOnceIsTriedWithGrowingPauses() {
        list(billing, 10);

        assertThat(playedFor(5 * SECOND, Ending.IN_ORDER))
                .containsExactly("100 stream", "300 stream", "700 stream", "1500 stream", "3100 stream", "4000 list");
    }

    /** The stream begins, and breaks at once. */
    @Test
    void aStreamThatBreaksAtOnceIsListedWithGrowingPauses() {
        list(billing, 10);
        List<Long> listedAt = new ArrayList<>();

        for (int i = 0; i < 8; i++) {
            happen(new CacheEvent.StreamBegan(stream));
            List<String> done = happen(new CacheEvent.StreamEnded(stream, Ending.BROKEN));
            done = done.contains("list") ? done : wake();
            assertThat(done).contains("list");
            listedAt.add(now / MILLI);
            assertThat(listed(10)).contains("stream 10");
        }

        assertThat(listedAt).containsExactly(0L, 100L, 300L, 700L, 1_500L, 3_100L, 6_300L, 10_300L);
    }

    @Test
    void theJitterLeavesOutHalfOfAPauseAtMost() {
        jitter = 0.999_999;
        list(billing, 10);

        happen(new CacheEvent.StreamEnded(stream, Ending.BROKEN));

        assertThat(cache.wakeAtNanos()).isBetween(50 * MILLI, 50 * MILLI + 1_000);
    }

    @Test
    void aServerThatRefusesStreamsForATimeIsLeftAloneThatLongAndListed() {
        list(billing, 10);

        assertThat(playedFor(11 * SECOND, THROTTLED)).containsExactly("4000 list", "8000 list", "10000 stream");
    }

    @Test
    void aServerThatRefusesListsForATimeIsLeftAloneThatLong() {
        happen(new CacheEvent.Joined(billing));
        happen(new CacheEvent.Unanswered(true, 10 * SECOND));

        assertThat(happen(new CacheEvent.Joined(watching(SHIPPING)))).isEmpty();
        while (!wake().contains("list")) {
            assertThat(now).isLessThan(10 * SECOND);
        }

        assertThat(now).isEqualTo(10 * SECOND);
    }

    @Test
    void noServerIsLeftAloneForLongerThanAMinute() {
        happen(new CacheEvent.Joined(billing));
        happen(new CacheEvent.Unanswered(true, 86_400 * SECOND));

        while (!wake().contains("list")) {
            assertThat(now).isLessThan(60 * SECOND);
        }

        assertThat(now).isEqualTo(60 * SECOND);
    }

    @Test
    void listsThatAreNotAnsweredAreAskedForWithGrowingPauses() {
        happen(new CacheEvent.Joined(billing));
        List<Long> askedAt = new ArrayList<>();

        for (int i = 0; i < 8; i++) {
            happen(new CacheEvent.Unanswered(true, 0));
            while (!wake().contains("list")) {
                assertThat(now).isLessThan(60 * SECOND);
            }
            askedAt.add(now / MILLI);
        }

        assertThat(askedAt).containsExactly(100L, 300L, 700L, 1_500L, 3_100L, 6_300L, 10_300L, 14_300L);
    }

    /** Nothing was missed: the next stream goes on from the list, and the next list tells what changes. */
    @Test
    void aStreamThatNeverBeganIsNoGap() {
        assertThat(list(billing, 10)).containsExactly("billing n10 alive", "stream 10");

        assertThat(happen(new CacheEvent.StreamEnded(stream, Ending.BROKEN))).isEmpty();
        assertThat(wake()).containsExactly("stream 10");
        assertThat(happen(new CacheEvent.StreamEnded(stream, THROTTLED))).isEmpty();
        assertThat(wake()).containsExactly("list");

        assertThat(listed(14)).containsExactly("billing n14 alive");
    }

    @Test
    void aPositionThatTheServerForgotIsAGapAndAllIsListedAnew() {
        list(billing, 10);

        assertThat(happen(new CacheEvent.StreamEnded(stream, Ending.refused(Answer.GONE, 0))))
                .containsExactly("billing gap", "list");
        assertThat(listed(14)).containsExactly("billing n14 alive", "stream 14");
    }

    /** Once it is allowed again, the stream tells what changes, and a probe is enough. */
    @Test
    void aStreamThatLastsIsProbedAgainAndItsEndIsFollowedByTheShortestPause() {
        list(billing, 10);
        playedFor(5 * SECOND, Ending.BROKEN);
        while (!wake().contains("stream 10")) {
            assertThat(now).isLessThan(20 * SECOND);
        }
        happen(new CacheEvent.StreamBegan(stream));
        assertThat(change("MODIFIED", record(BILLING, 12))).containsExactly("billing n12 alive");

        assertThat(wake()).as("it has not lasted yet").containsExactly("list");
        listed(12);
        assertThat(wake()).as("it has lasted").containsExactly("probe");
        happen(new CacheEvent.Probed(12));
        happen(new CacheEvent.StreamEnded(stream, Ending.IN_ORDER));

        assertThat(cache.wakeAtNanos() - now).isEqualTo(100 * MILLI);
        assertThat(wake()).containsExactly("stream 12");
    }

    /** A server that takes the request and does not begin to answer. */
    @Test
    void whereAStreamDoesNotBeginChangesAreListed() {
        list(billing, 10);

        assertThat(wake()).containsExactly("list");
        assertThat(now).isEqualTo(4 * SECOND);
        assertThat(listed(14)).containsExactly("billing n14 alive");
    }

    /** Its record changed while the list was under way, when nobody watched it yet. */
    @Test
    void whoComesWhileAListIsUnderWayIsToldByTheNext() {
        list(billing, 10);
        happen(new CacheEvent.StreamBegan(stream));
        happen(new CacheEvent.Joined(watching(BILLING)));
        change("MODIFIED", record(SHIPPING, 12));
        assertThat(happen(new CacheEvent.Joined(watching(SHIPPING)))).isEmpty();

        assertThat(listed(11, List.of(record(BILLING, 10), record(SHIPPING, 9), session(8))))
                .containsExactly("billing n10 alive", "list");
        assertThat(listed(13, List.of(record(BILLING, 10), record(SHIPPING, 12), session(8))))
                .containsExactly("shipping n12 alive");
    }

    /** A change that lags behind, of a session that somebody else deleted meanwhile. */
    @Test
    void aSessionThatWasBuriedIsRaisedByNoOlderChange() {
        happen(new CacheEvent.Joined(billing));
        listed(10, List.of(record(BILLING, 10), brief(SESSION, 8)));
        happen(new CacheEvent.StreamBegan(stream));
        now = 7 * SECOND;
        assertThat(happen(new CacheEvent.Woken())).contains("bury 8");
        assertThat(happen(new CacheEvent.Buried(SESSION, true))).containsExactly("billing n10 dead");

        assertThat(change("MODIFIED", brief(SESSION, 11))).isEmpty();
        assertThat(change("MODIFIED", record(BILLING, 12))).containsExactly("billing n12 dead");
        assertThat(change("DELETED", session(13))).isEmpty();
    }

    @Test
    void aSessionThatWasBuriedWhileAListWasUnderWayIsRaisedByNothing() {
        happen(new CacheEvent.Joined(billing));
        listed(10, List.of(record(BILLING, 10), brief(SESSION, 8)));
        happen(new CacheEvent.StreamBegan(stream));
        now = 7 * SECOND;
        happen(new CacheEvent.Joined(watching(SHIPPING)));
        happen(new CacheEvent.Buried(SESSION, true));

        assertThat(listed(10, List.of(record(BILLING, 10), brief(SESSION, 8)))).containsExactly("shipping absent");
        assertThat(change("MODIFIED", brief(SESSION, 11))).isEmpty();
        assertThat(change("MODIFIED", record(BILLING, 12))).containsExactly("billing n12 dead");
    }

    @Test
    void aBurialUnderWayIsNotAskedForAgain() {
        LeaseId other = Names.freshSession();
        Watching shipping = watching(SHIPPING);
        happen(new CacheEvent.Joined(shipping));
        happen(new CacheEvent.Joined(billing));
        listed(10, List.of(record(BILLING, 10), brief(SESSION, 8)));
        happen(new CacheEvent.StreamBegan(stream));
        now = SECOND;
        change("ADDED", brief(other, 11));
        change("MODIFIED", ScriptedWatch.record(SHIPPING, 12, other));

        now = 7 * SECOND;
        assertThat(happen(new CacheEvent.Woken())).contains("bury 8").doesNotContain("bury 11");
        now++;
        assertThat(happen(new CacheEvent.Woken())).contains("bury 11").doesNotContain("bury 8");
    }

    /** The new one's terms may be smaller. */
    @Test
    void aRecordThatWasDeletedAndCreatedAgainBetweenTwoListsIsAGap() {
        list(billing, 10);
        playedFor(SECOND, THROTTLED);
        wake();

        assertThat(listed(14, List.of(another(14), session(8)))).containsExactly("billing gap", "billing n14 alive");
        wake();
        assertThat(listed(15, List.of(session(8)))).containsExactly("billing gap", "billing absent");
    }

    @Test
    void aDeletionThatTheListKnewIsNotToldAgain() {
        list(billing, 10);
        happen(new CacheEvent.StreamBegan(stream));
        happen(new CacheEvent.Joined(watching(SHIPPING)));
        assertThat(listed(11, List.of(session(8)))).containsExactly("billing gap", "billing absent", "shipping absent");

        assertThat(change("DELETED", record(BILLING, 11))).isEmpty();
    }

    @Test
    void aGapIsToldOnceUntilTheStateIsKnownAgain() {
        list(billing, 10);
        happen(new CacheEvent.StreamBegan(stream));
        assertThat(happen(new CacheEvent.StreamEnded(stream, Ending.BROKEN))).containsExactly("billing gap", "list");
        assertThat(happen(new CacheEvent.Unanswered(true, 0))).isEmpty();
        wake();
        assertThat(listed(10)).containsExactly("stream 10");
        happen(new CacheEvent.StreamBegan(stream));

        assertThat(happen(new CacheEvent.StreamEnded(stream, Ending.BROKEN))).containsExactly("billing gap");
    }

    @Test
    void whoLeftIsToldNothingAndNothingIsAskedForNobody() {
        list(billing, 10);
        happen(new CacheEvent.StreamBegan(stream));

        assertThat(happen(new CacheEvent.Left(billing))).containsExactly("close");
        assertThat(cache.wakeAtNanos()).isEqualTo(Rhythm.NEVER);
        assertThat(change("MODIFIED", record(BILLING, 11))).isEmpty();
    }

    @Test
    void whatIsClosedDoesNothing() {
        list(billing, 10);

        assertThat(happen(new CacheEvent.Closed())).containsExactly("close");
        assertThat(happen(new CacheEvent.Joined(watching(BILLING)))).isEmpty();
        assertThat(cache.wakeAtNanos()).isEqualTo(Rhythm.NEVER);
    }

    private List<String> list(Watching by, long position) {
        assertThat(happen(new CacheEvent.Joined(by))).doesNotContain("probe");
        return listed(position);
    }

    private List<String> listed(long position) {
        return listed(position, List.of(record(BILLING, position), session(8)));
    }

    private List<String> listed(long position, List<Map<String, Object>> objects) {
        return happen(
                new CacheEvent.Listed(position, objects.stream().map(Stored::of).toList()));
    }

    private List<String> change(String type, Map<String, Object> object) {
        return happen(new CacheEvent.Changed(stream, type, Stored.of(object)));
    }

    private List<String> wake() {
        now = cache.wakeAtNanos();
        return happen(new CacheEvent.Woken());
    }

    /** Each stream ends so, at once, and each list is answered: what was asked for, and after how many milliseconds. */
    private List<String> playedFor(long nanos, Ending ending) {
        List<String> asked = new ArrayList<>();
        end(ending);
        long until = now + nanos;
        while (cache.wakeAtNanos() <= until) {
            List<String> done = wake();
            done.forEach(what -> asked.add(now / MILLI + " " + what.replaceAll(" .*", "")));
            if (done.contains("list")) {
                assertThat(listed(10)).isEmpty();
            } else {
                end(ending);
            }
        }
        return asked;
    }

    private void end(Ending ending) {
        if (ending.kind() == Ending.Kind.IN_ORDER) {
            happen(new CacheEvent.StreamBegan(stream));
        }
        assertThat(happen(new CacheEvent.StreamEnded(stream, ending))).isEmpty();
    }

    private List<String> happen(CacheEvent event) {
        List<String> done = new ArrayList<>();
        cache.step(event, now, jitter).forEach(effect -> done.add(described(effect)));
        return done;
    }

    private String described(CacheEffect effect) {
        if (effect instanceof CacheEffect.OpenStream e) {
            stream = e.stream();
            return "stream " + e.position();
        }
        if (effect instanceof CacheEffect.Tell e) {
            return e.watching().election() + " " + described(e.state());
        }
        if (effect instanceof CacheEffect.TellGap e) {
            return e.watching().election() + " gap";
        }
        if (effect instanceof CacheEffect.Bury e) {
            return "bury " + e.session().position();
        }
        return effect instanceof CacheEffect.SendList
                ? "list"
                : effect instanceof CacheEffect.SendProbe ? "probe" : "close";
    }

    private static String described(Optional<ObservedRecord> state) {
        return state.map(it -> it.equals(ObservedRecord.ABSENT)
                        ? "absent"
                        : it.record().nonce() + (it.leaseAlive() ? " alive" : " dead"))
                .orElse("gap");
    }

    private static Map<String, Object> record(ElectionName election, long position) {
        return ScriptedWatch.record(election, position, SESSION);
    }

    /** The record of another object by the same name. */
    private static Map<String, Object> another(long position) {
        return ScriptedWatch.withUid(record(BILLING, position), "another");
    }

    /** One that no test outlives. */
    private static Map<String, Object> session(long position) {
        return ScriptedWatch.session(SESSION, position, Duration.ofHours(1));
    }

    private static Map<String, Object> brief(LeaseId lease, long position) {
        return ScriptedWatch.session(lease, position, Duration.ofSeconds(6));
    }

    private static Watching watching(ElectionName election) {
        return new Watching(
                election,
                new Watcher() {
                    @Override
                    public void changed(ObservedRecord record) {}

                    @Override
                    public void gap() {}

                    @Override
                    public void currentAsOf(long sentAtNanos) {}
                },
                closed -> {});
    }
}
