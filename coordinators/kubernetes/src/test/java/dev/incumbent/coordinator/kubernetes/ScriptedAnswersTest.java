package dev.incumbent.coordinator.kubernetes;

import static dev.incumbent.coordinator.kubernetes.OpeningTest.failure;
import static dev.incumbent.coordinator.kubernetes.ScriptedWatch.LEASE;
import static dev.incumbent.coordinator.kubernetes.ScriptedWatch.session;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a call says of answers that no healthy API server gives, or gives late; and what we ask it for. The client's time is virtual. */
class ScriptedAnswersTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final CandidateId ADA = new CandidateId("ada");
    private static final LeaseId SESSION = Names.freshSession();
    private static final LeaderRecord NEXT =
            LeaderRecord.EMPTY.vacated(8, Instant.EPOCH).written("n8");
    private static final Answer ABSENT = new Answer(404, "{\"reason\":\"NotFound\"}");

    private final VirtualTimeline time = new VirtualTimeline();
    private final ScriptedServer server = new ScriptedServer();
    private final Coordinator client = server.coordinator(time, TIMEOUT, Mode.CREATE);
    private final CountDownLatch goOn = new CountDownLatch(1);

    @AfterEach
    void close() {
        goOn.countDown();
        client.close();
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "500, true",
        "502, true",
        "503, true",
        "504, true",
        "400, false",
        "409, false",
        "422, false",
        "429, false"
    })
    void anErrorSaysWhetherTheWriteMayHaveApplied(int code, boolean mayHaveApplied) {
        server.answers(ask -> new Answer(code, "{\"message\":\"as scripted\"}"));

        CoordinatorException grant = failure(client.grant(ADA, LEASE));
        CoordinatorException keepAlive = failure(client.keepAlive(SESSION));

        assertThat(grant.mayHaveApplied()).isEqualTo(mayHaveApplied);
        assertThat(keepAlive.mayHaveApplied()).isEqualTo(mayHaveApplied);
        assertThat(keepAlive).isNotInstanceOf(LeaseLostException.class);
    }

    /** As a proxy answers, or a server of another path. */
    @Test
    void whatIsNotFoundInOtherWordsIsNoAbsence() {
        server.answers(ask -> new Answer(404, "404 page not found"));

        assertThat(failure(client.keepAlive(SESSION))).isNotInstanceOf(LeaseLostException.class);
        assertThat(failure(client.read(Set.of(BILLING)))).hasMessageContaining("has no leases");
        assertThat(failure(client.revoke(SESSION)).mayHaveApplied()).isFalse();
    }

    @Test
    void aWriteWhoseAnswerCannotBeReadMayHaveApplied() {
        server.answers(ask -> new Answer(200, "no JSON"));

        assertThat(failure(client.swap(BILLING, new Revision("n7"), NEXT)).mayHaveApplied())
                .isTrue();
    }

    /** A swap that was not judged was not refused. */
    @ParameterizedTest
    @ValueSource(ints = {400, 403, 409, 429})
    void aSwapThatTheServerDoesNotTakeIsNoRefusal(int code) {
        server.answers(ask -> ask.writes() ? new Answer(code, "{}") : found(ask));

        assertThat(failure(client.swap(BILLING, new Revision("n6"), NEXT)).mayHaveApplied())
                .isFalse();
    }

    /** Told as dead, a leader would be succeeded. */
    @Test
    void aLeaseThatCannotBeReadIsNotToldDead() {
        server.answers(ask -> ask.path().endsWith(SESSION.value()) ? new Answer(500, "{}") : found(ask));

        assertThat(failure(client.read(Set.of(BILLING)))).hasMessageContaining("answered 500 to GET");
    }

    @Test
    void whatFailsAmongCandidatesIsTold() {
        Enlisted ada = new Enlisted(new Candidate(ADA, "ada", ""), SESSION, Instant.EPOCH, Set.of());
        Map<String, Object> entry = ScriptedWatch.entry(BILLING, 4, ada);
        server.answers(ask -> ask.path().contains("labelSelector") || ask.writes()
                ? new Answer(ask.method().equals("POST") ? 409 : 500, "{}")
                : ask.path().contains("ada") ? new Answer(200, Document.write(entry)) : found(ask));

        assertThat(failure(client.enlist(BILLING, ada)).mayHaveApplied()).isTrue();
        assertThat(failure(client.withdraw(BILLING, ADA)).mayHaveApplied()).isTrue();
        assertThat(failure(client.candidates(Set.of(BILLING)))).hasMessageContaining("answered 500 to GET");
    }

    @Test
    void callsUnderWayEndWithTheirClientAtOnce() {
        CountDownLatch asked = new CountDownLatch(1);
        server.answers(ask -> {
            asked.countDown();
            await(goOn);
            return ABSENT;
        });
        List<CompletionStage<Swap>> swaps = IntStream.range(0, 20)
                .mapToObj(i -> client.swap(BILLING, new Revision("n7"), NEXT))
                .toList();
        await(asked);

        client.close();

        assertThat(swaps).allMatch(swap -> swap.toCompletableFuture().isCompletedExceptionally());
    }

    @Test
    void aRevocationThatIsNotGrantedIsTold() {
        server.answers(ask -> new Answer(500, "{\"message\":\"as scripted\"}"));

        assertThat(failure(client.revoke(SESSION)).mayHaveApplied()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {409, 429, 500})
    void aLeaseWhoseBurialIsNotGrantedIsNotToldDead(int code) {
        server.answers(ask -> ask.method().equals("DELETE") ? new Answer(code, "{}") : found(ask));
        assertThat(isLeaseAlive(client)).isTrue();

        time.advance(LEASE.plusNanos(1));

        assertThat(isLeaseAlive(client)).isTrue();
        assertThat(asked("DELETE")).hasSize(1);
        assertThat(asked("DELETE").get(0).body())
                .contains("\"uid\":\"uid-" + SESSION.value() + "\"")
                .contains("\"resourceVersion\":\"5\"");
    }

    @Test
    void aLeaseWhoseBurialIsNotAnsweredIsNotToldDead() {
        server.answers(ask -> ask.method().equals("DELETE") ? unanswered() : found(ask));
        assertThat(isLeaseAlive(client)).isTrue();

        time.advance(LEASE.plusNanos(1));

        assertThat(isLeaseAlive(client)).isTrue();
    }

    private static Answer unanswered() {
        throw new IllegalStateException("this connection breaks");
    }

    @Test
    void whoMayOnlyReadBuriesAndRemovesNobody() {
        server.answers(ScriptedAnswersTest::found);
        Coordinator reader = server.coordinator(time, TIMEOUT, Mode.READ_ONLY);
        assertThat(isLeaseAlive(reader)).isTrue();

        time.advance(LEASE.plusNanos(1));
        assertThat(isLeaseAlive(reader)).isTrue();
        join(reader.candidates(Set.of(BILLING)));

        assertThat(server.asked()).allMatch(ask -> !ask.writes());
        reader.close();
    }

    @Test
    void aLeaseIsNoShorterThanToldAndThanAskedFor() {
        server.answers(ask -> new Answer(201, "{}"));

        var granted = join(client.grant(ADA, Duration.ofMillis(2_500)));

        assertThat(granted.timeToLive()).isEqualTo(Duration.ofSeconds(3));
        assertThat(server.asked().get(0).body()).contains("\"leaseDurationSeconds\":3");
    }

    /** Contenders count by the object's length, which somebody may have edited. */
    @Test
    void aKeepAliveWritesTheLengthOfALeaseThatWasGrantedHereAgain() {
        server.answers(ask -> new Answer(200, "{}"));
        LeaseId mine = join(client.grant(ADA, Duration.ofSeconds(6))).id();

        join(client.keepAlive(mine));
        join(client.keepAlive(SESSION));

        assertThat(asked("PATCH")).hasSize(2);
        assertThat(asked("PATCH").get(0).path()).endsWith(mine.value());
        assertThat(asked("PATCH").get(0).body())
                .containsPattern("\\{[^{}]*\"/spec/leaseDurationSeconds\"[^{}]*\\}")
                .containsPattern("\"value\":6[,}]");
        assertThat(asked("PATCH").get(1).body()).as("granted elsewhere").doesNotContain("leaseDurationSeconds");
    }

    /** It may have come back under a living lease since. */
    @Test
    void anEntryIsRemovedOrChangedAsItWasSeen() {
        LeaseId dead = Names.freshSession();
        Enlisted ada = new Enlisted(new Candidate(ADA, "ada", ""), SESSION, Instant.EPOCH, Set.of());
        Map<String, Object> ofTheDead =
                ScriptedWatch.entry(BILLING, 4, new Enlisted(ada.candidate(), dead, ada.since(), Set.of()));
        server.answers(ask -> {
            if (ask.method().equals("POST")) {
                return new Answer(asked("DELETE").isEmpty() ? 409 : 201, "{}");
            }
            return ask.path().contains("ada") ? new Answer(200, Document.write(ofTheDead)) : found(ask);
        });

        join(client.enlist(BILLING, ada));

        assertThat(asked("DELETE")).hasSize(1).allMatch(ask -> ask.body().contains("\"resourceVersion\":\"4\""));
    }

    @Test
    void anEntryThatIsListedWithoutItsLeaseIsRemovedAsItWasSeen() {
        Enlisted ada = new Enlisted(new Candidate(ADA, "ada", ""), Names.freshSession(), Instant.EPOCH, Set.of());
        Map<String, Object> entry = ScriptedWatch.entry(BILLING, 4, ada);
        CountDownLatch removed = new CountDownLatch(1);
        server.answers(ask -> {
            if (ask.writes()) {
                removed.countDown();
            }
            return new Answer(200, Document.write(Map.of("items", List.of(entry))));
        });
        Coordinator reader = server.coordinator(time, TIMEOUT, Mode.READ_ONLY);

        assertThat(join(reader.candidates(Set.of(BILLING))).get(BILLING)).isEmpty();
        assertThat(join(reader.elections(""))).containsExactly(BILLING);
        assertThat(asked("DELETE")).isEmpty();
        assertThat(join(client.candidates(Set.of(BILLING))).get(BILLING)).isEmpty();
        await(removed);

        assertThat(asked("DELETE")).hasSize(1).allMatch(ask -> ask.body().contains("\"resourceVersion\":\"4\""));
        reader.close();
    }

    @Test
    void anEntryIsChangedOnlyAsItWasSeen() {
        Enlisted ada = new Enlisted(new Candidate(ADA, "ada", ""), SESSION, Instant.EPOCH, Set.of());
        Map<String, Object> entry = ScriptedWatch.entry(BILLING, 4, ada);
        server.answers(ask -> {
            if (ask.method().equals("POST")) {
                return new Answer(409, "{}");
            }
            return ask.path().contains("ada") ? new Answer(200, Document.write(entry)) : found(ask);
        });

        join(client.enlist(BILLING, ada));

        assertThat(asked("PATCH")).hasSize(1).allMatch(ask -> ask.body().contains("/metadata/resourceVersion"));
    }

    /** As those of another program are, or of one whose memory of changes is too short. */
    @ParameterizedTest
    @ValueSource(ints = {403, 410, 429, 500})
    void aStreamThatIsRefusedEndsInNoGoodOrderAndSaysForHowLong(int code) {
        server.answers(ask -> new Answer(code, "{\"message\":\"as scripted\"}", code == 429 ? 7_000_000_000L : 0));
        CompletableFuture<Ending> ended = new CompletableFuture<>();

        Transport transport = server.transport();
        ChangeStream stream = ChangeStream.open(
                transport,
                new Leases("ns").watch("kind", 1, Duration.ofMinutes(1)),
                TIMEOUT.toNanos(),
                new ChangeStream.Listener() {
                    @Override
                    public void began(ChangeStream which) {}

                    @Override
                    public void changed(ChangeStream by, String type, Stored object) {}

                    @Override
                    public void ended(ChangeStream which, Ending ending) {
                        ended.complete(ending);
                    }
                });

        Ending.Kind kind = code == 410 ? Ending.Kind.EXPIRED : Ending.Kind.BROKEN;
        assertThat(join(ended)).isEqualTo(new Ending(kind, code == 429 ? 7_000_000_000L : 0));
        stream.close();
        transport.close();
    }

    @ParameterizedTest
    @CsvSource({
        "7, 7",
        "' 7 ', 7",
        "999999999, 999999999",
        "9999999999, 0",
        "-1, 0",
        "'Mon, 23 Nov 2026 12:00:00 GMT', 0",
        "'', 0"
    })
    void anAnswerSaysForHowLongItsServerWantsToBeLeftAlone(String header, long seconds) {
        assertThat(Answer.retryAfterNanos(List.of(header))).isEqualTo(TimeUnit.SECONDS.toNanos(seconds));
        assertThat(Answer.retryAfterNanos(List.of())).isZero();
    }

    @Test
    void aRefusalIsHandedOnWithTheTimeThatItNames() {
        server.answers(ask -> new Answer(429, "{}", TimeUnit.SECONDS.toNanos(7)));
        Transport transport = server.transport();

        Answer answer = join(transport.send(new Leases("ns").list("kind"), TIMEOUT.toNanos()));

        assertThat(answer.retryAfterNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(7));
        transport.close();
    }

    /** With a resourceVersion a server may answer from its memory, which lags. */
    @Test
    void everyReadIsOfTheStore() {
        server.answers(ScriptedAnswersTest::found);

        join(client.read(Set.of(BILLING)));
        join(client.read(many()));
        join(client.candidates(Set.of(BILLING)));
        join(client.elections(""));

        assertThat(server.asked())
                .hasSizeGreaterThan(4)
                .noneMatch(ask -> ask.path().contains("resourceVersion"));
        assertThat(new Leases("ns").first("kind").path()).doesNotContain("resourceVersion");
    }

    /** Each request holds a connection, and there are sixteen. */
    @Test
    void whatWaitedForItsTurnUntilItsTimeEndedIsNeverSent() {
        CountDownLatch asked = new CountDownLatch(16);
        server.answers(ask -> {
            asked.countDown();
            await(goOn);
            return ask.path().contains("labelSelector") ? new Answer(200, "{\"items\":[]}") : ABSENT;
        });
        for (int i = 0; i < 16; i++) {
            CompletionStage<?> unused = client.read(Set.of(BILLING));
        }
        await(asked);

        List<CompletionStage<Swap>> swaps = IntStream.range(0, 50)
                .mapToObj(i -> client.swap(BILLING, new Revision("n7"), NEXT))
                .toList();
        time.advance(TIMEOUT);
        assertThat(swaps).noneMatch(swap -> failure(swap).mayHaveApplied());
        goOn.countDown();
        assertThat(join(client.elections(""))).as("a call after it").isEmpty();

        assertThat(asked("PATCH")).isEmpty();
    }

    @Test
    void anAnswerThatBeginsAndDoesNotEndHoldsUpNoLaterCall() {
        Coordinator hasty = server.coordinator(time, Duration.ofSeconds(1), Mode.CREATE);
        server.answers(
                ask -> ask.path().contains("labelSelector") ? new Answer(200, "{\"items\":[]}") : new Answer(0, "{"));
        for (int i = 0; i < 16; i++) {
            CompletionStage<?> unused = hasty.read(Set.of(BILLING));
        }

        assertThat(answeredInTheEnd(hasty)).isEmpty();
        hasty.close();
    }

    /** A second is short on a busy machine. */
    private static List<ElectionName> answeredInTheEnd(Coordinator hasty) {
        for (int tries = 1; ; tries++) {
            try {
                return join(hasty.elections(""));
            } catch (CompletionException late) {
                if (tries == 10 || late.getCause() instanceof TimeoutException) {
                    throw late;
                }
            }
        }
    }

    private boolean isLeaseAlive(Coordinator by) {
        Reading reading = join(by.read(Set.of(BILLING))).getOrDefault(BILLING, new Reading.Unread("asserted"));
        assertThat(reading).isInstanceOf(Reading.Found.class);
        return ((Reading.Found) reading).record().leaseAlive();
    }

    private List<Ask> asked(String method) {
        return server.asked().stream()
                .filter(ask -> ask.method().equals(method))
                .toList();
    }

    private static Set<ElectionName> many() {
        Set<ElectionName> many =
                IntStream.range(0, 5).mapToObj(i -> new ElectionName("e" + i)).collect(Collectors.toSet());
        many.add(BILLING);
        return many;
    }

    /** One record, one session, and nothing else. */
    private static Answer found(Ask ask) {
        Map<String, Object> record = ScriptedWatch.record(BILLING, 7, SESSION);
        Map<String, Object> session = session(SESSION, 5);
        if (ask.path().endsWith("/leases/billing")) {
            return new Answer(200, Document.write(record));
        }
        if (ask.path().endsWith(SESSION.value())) {
            return new Answer(200, Document.write(session));
        }
        boolean isList = ask.path().contains("labelSelector");
        return isList ? new Answer(200, Document.write(Map.of("items", List.of(record, session)))) : ABSENT;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /** Bounded: the client's time does not pass by itself. */
    private static <T> T join(CompletionStage<T> call) {
        return call.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
