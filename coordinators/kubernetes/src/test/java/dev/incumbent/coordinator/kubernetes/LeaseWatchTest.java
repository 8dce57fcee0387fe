package dev.incumbent.coordinator.kubernetes;

import static dev.incumbent.coordinator.kubernetes.ScriptedWatch.LEASE;
import static dev.incumbent.coordinator.kubernetes.ScriptedWatch.REQUEST_TIMEOUT;
import static dev.incumbent.coordinator.kubernetes.ScriptedWatch.bookmark;
import static dev.incumbent.coordinator.kubernetes.ScriptedWatch.session;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a watcher is told, whichever comes first of a list's answer and the stream's changes, and where one of them is late, silent, or of a store that went back. */
class LeaseWatchTest {
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final LeaseId SESSION = Names.freshSession();
    private static final LeaseId IDLE = Names.freshSession();
    private static final Duration TICK = Duration.ofNanos(1);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

    private final VirtualTimeline time = new VirtualTimeline();
    private final ScriptedWatch server = new ScriptedWatch();
    private final Leases leases = new Leases("ns");
    private final Sessions sessions =
            new Sessions(leases, new Failures("https://nowhere", "ns", () -> ""), time, Mode.CREATE, written -> {});
    private final LeaseWatch watch = new LeaseWatch(server, leases, sessions.vigil(), time, () -> 0);
    private final List<String> told = new ArrayList<>();

    @AfterEach
    void close() {
        watch.close();
        server.close();
    }

    @Test
    void theStreamGoesOnFromWhereTheListEnded() {
        begin(10);

        assertThat(told).containsExactly("n10 alive");
        assertThat(server.stream().ask().path())
                .contains("watch=true", "&resourceVersion=10&", "&allowWatchBookmarks=true", "&timeoutSeconds=120");
    }

    @Test
    void aChangeThatTheListKnewIsNotToldAgain() {
        begin(10);

        server.stream().tell("MODIFIED", record(9));
        server.stream().tell("MODIFIED", record(10));
        server.stream().tell("MODIFIED", record(11));

        assertThat(told).containsExactly("n10 alive", "n11 alive");
    }

    @Test
    void aListThatIsOlderThanTheStreamChangesNothing() {
        begin(10);
        watchMore();
        server.stream().tell("MODIFIED", record(12));
        told.clear();

        server.answer(11, List.of(record(10), session(SESSION, 8)));

        assertThat(told).as("told to the new watcher").containsExactly("n12 alive");
    }

    @Test
    void aListThatIsOlderThanADeathRaisesNobody() {
        begin(10);
        watchMore();
        server.stream().tell("DELETED", session(SESSION, 12));
        told.clear();

        server.answer(11, List.of(record(10), session(SESSION, 8)));

        assertThat(told).as("told to the new watcher").containsExactly("n10 dead");
    }

    /** Whoever buried it learns of no position, so no list that was asked for before knows better. */
    @Test
    void aListThatWasAskedForBeforeABurialRaisesNobody() {
        begin(10);
        time.advance(LEASE.plus(TICK));
        drainProbes();
        watchMore();
        server.burials.remove().then().accept(true);
        told.clear();

        server.answer(20, List.of(record(10), session(SESSION, 8)));

        assertThat(told).as("told to the new watcher").containsExactly("n10 dead");
    }

    @Test
    void aStreamThatEndsInGoodOrderGoesOnWhereItWasAndNobodyIsToldOfIt() {
        begin(10);
        server.stream().tell("MODIFIED", record(11));
        server.stream().tell("BOOKMARK", bookmark(15));

        server.stream().end(Ending.IN_ORDER);
        time.advance(FIRST_PAUSE);

        assertThat(server.opened).hasSize(2);
        assertThat(server.stream().ask().path()).contains("&resourceVersion=15&");
        assertThat(server.asked).isEmpty();
        server.stream().tell("MODIFIED", record(16));
        assertThat(told).containsExactly("n10 alive", "n11 alive", "n16 alive");
    }

    @Test
    void aStreamThatBreaksIsAGapAndAllIsListedAnew() {
        begin(10);

        server.stream().end(Ending.BROKEN);
        assertThat(told).containsExactly("n10 alive", "gap");
        server.answer(20, List.of(record(14), session(SESSION, 8)));

        assertThat(told).containsExactly("n10 alive", "gap", "n14 alive");
        assertThat(server.stream().ask().path()).contains("&resourceVersion=20&");
    }

    @Test
    void whatIsNoLongerListedIsGone() {
        begin(10);

        server.stream().end(Ending.BROKEN);
        server.answer(20, List.of(record(10)));
        assertThat(told).containsExactly("n10 alive", "gap", "n10 dead");
        server.stream().end(Ending.BROKEN);
        time.advance(FIRST_PAUSE);
        server.answer(30, List.of());

        assertThat(told).containsExactly("n10 alive", "gap", "n10 dead", "gap", "absent");
    }

    @Test
    void aListThatIsNotAnsweredIsAGap() {
        begin(10);
        Watch unused = watchMore();

        server.fail();

        assertThat(told).containsExactly("n10 alive", "gap", "gap");
    }

    @Test
    void aListThatIsRefusedForATimeIsAGapAndAskedForAfterThatTime() {
        begin(10);
        Watch unused = watchMore();

        server.refuse(new Answer(429, "{}", Duration.ofSeconds(10).toNanos()));
        assertThat(told).containsExactly("n10 alive", "gap", "gap");
        time.advance(Duration.ofSeconds(10).minus(TICK));
        assertThat(server.asked).isEmpty();
        time.advance(TICK);

        assertThat(server.asked).hasSize(1).allMatch(ScriptedWatch.Asked::isList);
    }

    /** As one that no API server gave. */
    @Test
    void aListThatIsNotUnderstoodIsAGap() {
        begin(10);
        Watch unused = watchMore();

        server.refuse(new Answer(200, "<html>"));

        assertThat(told).containsExactly("n10 alive", "gap", "gap");
    }

    @Test
    void nothingIsToldAfterItWasClosed() {
        watch.watch(BILLING, new Noting() {
            @Override
            public void changed(ObservedRecord record) {
                super.changed(record);
                if (told.contains("n11 alive")) {
                    watch.close();
                }
            }
        });
        watchMore();
        server.answer(10, List.of(record(10), session(SESSION, 8)));
        server.answer(10, List.of(record(10), session(SESSION, 8)));

        server.stream().tell("MODIFIED", record(11));

        assertThat(told).containsExactly("n10 alive", "n10 alive", "n11 alive");
    }

    @Test
    void whatTheStreamOrTheNextListHasShownIsNotWaitedFor() {
        begin(10);
        server.stream().tell("MODIFIED", record(12));
        watch.written(12);
        watch.written(13);
        server.stream().end(Ending.BROKEN);
        server.answer(20, List.of(record(14), session(SESSION, 13)));
        told.clear();

        watch.written(20);
        for (int i = 0; i < 4; i++) {
            time.advance(REQUEST_TIMEOUT);
            server.answer(20);
        }

        assertThat(told).isEmpty();
    }

    @Test
    void whatAStreamThatWasLeftStillSaysIsNotTold() {
        begin(10);
        ScriptedWatch.Opened left = server.stream();
        left.end(Ending.BROKEN);
        server.answer(20, List.of(record(14), session(SESSION, 8)));

        left.tell("MODIFIED", record(30));
        left.end(Ending.BROKEN);

        assertThat(told).containsExactly("n10 alive", "gap", "n14 alive");
    }

    @Test
    void aProbeThatIsNotAnsweredIsAGap() {
        begin(10);

        time.advance(REQUEST_TIMEOUT);
        server.fail();
        assertThat(told).containsExactly("n10 alive", "gap");
        time.advance(REQUEST_TIMEOUT);
        server.answer(11, List.of(record(11), session(SESSION, 8)));

        assertThat(told).containsExactly("n10 alive", "gap", "n11 alive");
        assertThat(server.opened).hasSize(2);
        time.advance(REQUEST_TIMEOUT);
        server.fail();
        assertThat(told).containsExactly("n10 alive", "gap", "n11 alive", "gap");
    }

    @Test
    void aProbeThatIsAnsweredTellsNothing() {
        begin(10);

        for (int i = 0; i < 3; i++) {
            server.stream().tell("MODIFIED", session(SESSION, 11 + i));
            time.advance(REQUEST_TIMEOUT);
            server.answer(20 + i);
        }

        assertThat(told).containsExactly("n10 alive");
        assertThat(server.opened).hasSize(1);
    }

    @Test
    void aStreamThatHasJustToldSomethingIsNotProbedAndOneThatIsSilentIs() {
        begin(10);

        for (int i = 0; i < 20; i++) {
            time.advance(REQUEST_TIMEOUT.dividedBy(4));
            server.stream().tell("MODIFIED", session(SESSION, 11 + i));
        }
        assertThat(server.asked).isEmpty();
        time.advance(REQUEST_TIMEOUT);

        assertThat(server.asked).hasSize(1).noneMatch(ScriptedWatch.Asked::isList);
    }

    @Test
    void aStoreThatWentBackIsAGapAndIsToldAnew() {
        begin(10);

        time.advance(REQUEST_TIMEOUT);
        server.answer(5);
        server.answer(5, List.of(record(4), session(SESSION, 3)));

        assertThat(told).containsExactly("n10 alive", "gap", "n4 alive");
        assertThat(server.stream().ask().path()).contains("&resourceVersion=5&");
        server.stream().tell("MODIFIED", record(6));
        assertThat(told).endsWith("n6 alive");
    }

    /** It may be half-open: nothing else comes by, and the probes are answered. */
    @Test
    void aStreamThatDoesNotShowWhatThisProcessWroteIsDead() {
        begin(10);

        watch.written(12);
        time.advance(REQUEST_TIMEOUT);
        server.answer(12);
        keepAlive(0);
        time.advance(REQUEST_TIMEOUT);
        server.answer(12);
        assertThat(told).containsExactly("n10 alive");
        time.advance(REQUEST_TIMEOUT);

        assertThat(told).containsExactly("n10 alive", "gap");
        assertThat(server.asked).hasSize(1).allMatch(ScriptedWatch.Asked::isList);
    }

    @Test
    void aStreamThatShowsWhatThisProcessWroteGoesOn() {
        begin(10);

        watch.written(12);
        server.stream().tell("MODIFIED", session(SESSION, 12));
        for (int i = 0; i < 4; i++) {
            time.advance(REQUEST_TIMEOUT);
            server.answer(20);
            keepAlive(13 + i);
        }

        assertThat(told).containsExactly("n10 alive");
    }

    @Test
    void aStreamThatOutlivesItsTimeIsDead() {
        begin(10);

        Duration life = Duration.ofMinutes(2).plus(REQUEST_TIMEOUT.multipliedBy(2));
        int i = 0;
        for (Duration left = life; !left.isNegative(); left = left.minus(REQUEST_TIMEOUT)) {
            assertThat(told).containsExactly("n10 alive");
            time.advance(REQUEST_TIMEOUT);
            if (server.asked.peek() != null && !server.asked.element().isList()) {
                server.answer(20 + i);
            }
            keepAlive(11 + i++);
        }

        assertThat(told).containsExactly("n10 alive", "gap");
        assertThat(server.asked).hasSize(1).allMatch(ScriptedWatch.Asked::isList);
    }

    @Test
    void aLeaderThatNobodyKeepsAliveIsBuriedAndToldDead() {
        begin(10);

        time.advance(LEASE);
        assertThat(server.burials).isEmpty();
        time.advance(TICK);

        assertThat(server.burials).hasSize(1);
        assertThat(told).containsExactly("n10 alive");
        server.burials.remove().then().accept(true);
        assertThat(told).containsExactly("n10 alive", "n10 dead");
    }

    @Test
    void aBurialThatFailedIsTriedAgain() {
        begin(10);
        time.advance(LEASE.plus(TICK));

        server.burials.remove().then().accept(false);
        assertThat(told).containsExactly("n10 alive");
        time.advance(REQUEST_TIMEOUT.dividedBy(2).plus(TICK));

        assertThat(server.burials).hasSize(1);
    }

    @Test
    void aLeaderThatIsKeptAliveIsNotBuriedBeforeItsWholeLengthHasPassedSince() {
        begin(10);

        time.advance(LEASE.minus(TICK));
        keepAlive(11);
        time.advance(LEASE);
        assertThat(server.burials).isEmpty();
        time.advance(TICK);

        assertThat(server.burials).hasSize(1);
        assertThat(server.burials.element().session().position()).isEqualTo(11);
    }

    @Test
    void aLeaseThatEndsBeforeThoseThatWereSeenIsLookedAtInTime() {
        LeaseId brief = Names.freshSession();
        begin(10);
        server.stream().tell("ADDED", session(brief, 11, Duration.ofSeconds(2)));
        server.stream().tell("MODIFIED", ScriptedWatch.record(BILLING, 12, brief));

        time.advance(Duration.ofSeconds(2).plus(TICK));

        assertThat(server.burials).extracting(burial -> burial.session().name()).containsExactly(brief.value());
    }

    @Test
    void aSessionThatLeadsNothingIsLeftToOthers() {
        begin(10);
        server.stream().tell("ADDED", session(IDLE, 11));

        time.advance(LEASE.plus(TICK));

        assertThat(server.burials).extracting(burial -> burial.session().name()).containsExactly(SESSION.value());
    }

    @Test
    void aRecordThatIsDeletedIsAGapAndAbsent() {
        begin(10);

        server.stream().tell("DELETED", record(11));

        assertThat(told).containsExactly("n10 alive", "gap", "absent");
    }

    @Test
    void nobodyIsAskedWhereNobodyWatches() {
        Watch one = watchMore();
        server.answer(10, List.of(record(10), session(SESSION, 8)));

        one.close();
        server.stream().end(Ending.IN_ORDER);
        time.advance(REQUEST_TIMEOUT);

        assertThat(server.asked).isEmpty();
        assertThat(server.opened).hasSize(1);
    }

    @Test
    void oneAlarmIsSetWhereSomebodyWatchesAndNoneAfterwards() {
        Alarms alarms = new Alarms(time);
        LeaseWatch counted = new LeaseWatch(server, leases, sessions.vigil(), alarms, () -> 0);

        Watch one = counted.watch(BILLING, new Noting());
        server.answer(10, List.of(record(10), session(SESSION, 8)));
        server.stream().end(Ending.BROKEN);
        server.answer(11, List.of(record(10), session(SESSION, 11, Duration.ofSeconds(2))));
        assertThat(alarms.set()).hasSize(1);
        one.close();

        assertThat(alarms.set()).isEmpty();
        counted.close();
    }

    private void begin(long position) {
        watchMore();
        server.answer(position, List.of(record(position), session(SESSION, 8), session(IDLE, 7)));
    }

    private Watch watchMore() {
        return watch.watch(BILLING, new Noting());
    }

    /** Of the leader, told by the stream; where there is a position. */
    private void keepAlive(long position) {
        if (position > 0) {
            server.stream().tell("MODIFIED", session(SESSION, position));
        }
        server.burials.clear();
    }

    private void drainProbes() {
        while (!server.asked.isEmpty()) {
            server.answer(10);
        }
    }

    private static Map<String, Object> record(long position) {
        return ScriptedWatch.record(BILLING, position, SESSION);
    }

    private class Noting implements Watcher {
        @Override
        public void changed(ObservedRecord record) {
            told.add(
                    record.equals(ObservedRecord.ABSENT)
                            ? "absent"
                            : record.record().nonce() + (record.leaseAlive() ? " alive" : " dead"));
        }

        @Override
        public void gap() {
            told.add("gap");
        }

        @Override
        public void currentAsOf(long sentAtNanos) {
            told.add("current " + sentAtNanos);
        }
    }
}
