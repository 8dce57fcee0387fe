package dev.incumbent.coordinator.kubernetes;

import static dev.incumbent.coordinator.kubernetes.OpeningTest.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.KubeApiServer;
import dev.incumbent.time.SystemTimeline;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Our Lease objects beside kubectl's users and other electors, and the rights that they take. */
@Tag("patient")
class LeaseObjectsTest {
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Candidate ADA = new Candidate(new CandidateId("ada@host-1-a"), "ada", "");
    private static final Path MANIFEST = Path.of("docs/coordinators/kubernetes-rbac.yaml");
    private static final String FOREIGN =
            "{\"metadata\":{\"name\":\"billing\"},\"spec\":{\"holderIdentity\":\"operator-7f9\",\"leaseDurationSeconds\":15}}";

    private final KubeRig rig = new KubeRig(SharedServer.get(), Duration.ofSeconds(20));
    private final Coordinator client = rig.connect();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aRecordShowsItsHolderAndItsTermToKubectlsUsers() {
        LeaseId lease = grant();
        get(client.swap(BILLING, Revision.ABSENT, claim(1L << 40, lease)));

        String object = rig.server().ask("GET", rig.path("billing"), "", "").body();

        assertThat(object)
                .contains("\"holderIdentity\":\"ada@host-1-a\"")
                .contains("\"leaseDurationSeconds\":" + rig.lease().toSeconds() + ",")
                .contains("\"leaseTransitions\":2147483647")
                .contains("\"acquireTime\":\"2026-01-01T12:00:00.000000Z\"")
                .contains("\"incumbent.dev/election\":\"billing\"")
                .contains("\\\"term\\\":1099511627776");
    }

    /** Those who look at the object of an election see no renewal. */
    @Test
    void aKeepAliveMovesTheRenewTimeOfTheSessionAlone() {
        LeaseId lease = grant();
        get(client.swap(BILLING, Revision.ABSENT, claim(1, lease)));
        String record = renewTime("billing");
        String session = renewTime(lease.value());

        get(client.keepAlive(lease));

        assertThat(renewTime("billing")).isEqualTo(record);
        assertThat(renewTime(lease.value())).isGreaterThan(session);
    }

    /** Contenders count a lease by it. */
    @Test
    void aKeepAliveUndoesWhatSomebodyMadeOfTheLengthOfALease() {
        LeaseId lease = grant();
        rig.patch(lease.value(), "{\"spec\":{\"leaseDurationSeconds\":1}}");

        get(client.keepAlive(lease));

        String session =
                rig.server().ask("GET", rig.path(lease.value()), "", "").body();
        assertThat(session).contains("\"leaseDurationSeconds\":" + rig.lease().toSeconds() + ",");
    }

    /** Whoever begins to watch after the edit has never seen the granted length. */
    @Test
    @Tag("realtime")
    void whoComesAfterSomebodyHasShortenedALeaseBuriesItsHolderNoSooner() throws InterruptedException {
        LeaseId lease = get(client.grant(ADA.id(), Duration.ofMinutes(1))).id();
        get(client.swap(BILLING, Revision.ABSENT, claim(1, lease)));
        rig.patch(lease.value(), "{\"spec\":{\"leaseDurationSeconds\":1}}");
        Coordinator later = rig.connect();
        get(later.read(Set.of(BILLING)));

        SystemTimeline.sleep(Duration.ofMillis(1_300));

        assertThat(get(later.read(Set.of(BILLING))).get(BILLING))
                .isInstanceOfSatisfying(
                        Reading.Found.class,
                        found -> assertThat(found.record().leaseAlive()).isTrue());
        get(client.keepAlive(lease));
    }

    private String renewTime(String object) {
        String text = rig.server().ask("GET", rig.path(object), "", "").body();
        return text.replaceFirst("(?s).*\"renewTime\":\"([^\"]*)\".*", "$1");
    }

    @Test
    void aLeaseObjectOfAnotherElectorIsRefusedInOneSentence() {
        rig.server().create(rig.path(""), FOREIGN);

        Reading reading = reading();
        CoordinatorException swap = failure(client.swap(BILLING, Revision.ABSENT, claim(1, grant())));

        String sentence =
                "the Lease billing is not Incumbent's (held by 'operator-7f9', without the label incumbent.dev/kind):"
                        + " name the election otherwise, or use another namespace";
        assertThat(reading).isInstanceOf(Reading.Foreign.class);
        assertThat(((Reading.Foreign) reading).why()).isEqualTo(sentence);
        assertThat(swap).isInstanceOf(CoordinatorUnusableException.class).hasMessage(sentence);
    }

    @Test
    void aForeignLeaseObjectIsSeenAmongManyToo() {
        rig.server().create(rig.path(""), FOREIGN);

        Set<ElectionName> many = Set.of(
                BILLING, new ElectionName("a"), new ElectionName("b"), new ElectionName("c"), new ElectionName("d"));

        assertThat(get(client.read(many)).get(BILLING)).isInstanceOf(Reading.Foreign.class);
    }

    @Test
    void aWatcherOfAForeignLeaseObjectIsToldAGap() {
        AtomicInteger gaps = new AtomicInteger();
        client.watch(BILLING, new Counting(gaps, new AtomicInteger()));

        rig.server().create(rig.path(""), FOREIGN);

        await("a gap", () -> gaps.get() > 0);
    }

    @Test
    void anotherElectorThatTakesOurObjectOverIsReported() {
        get(client.swap(BILLING, Revision.ABSENT, claim(3, grant())));

        rig.patch("billing", "{\"spec\":{\"holderIdentity\":\"operator-7f9\",\"leaseTransitions\":4}}");

        Reading reading = reading();
        assertThat(reading).isInstanceOf(Reading.Foreign.class);
        assertThat(((Reading.Foreign) reading).why())
                .contains("the Lease billing is held by 'operator-7f9', and its record names 'ada@host-1-a'");
    }

    @Test
    void whoeverSetsTheHolderBackHealsTheRecord() {
        LeaderRecord record = claim(3, grant());
        get(client.swap(BILLING, Revision.ABSENT, record));
        rig.patch("billing", "{\"spec\":{\"holderIdentity\":\"operator-7f9\"}}");

        rig.patch("billing", "{\"spec\":{\"holderIdentity\":\"ada@host-1-a\"}}");

        assertThat(reading()).isInstanceOf(Reading.Found.class);
        Swap next = get(client.swap(
                BILLING, new Revision(record.nonce()), record.vacated(3, NOON).written("n2")));
        assertThat(next).isInstanceOf(Swap.Accepted.class);
    }

    @Test
    void anObjectThatBearsAnotherElectionsNameIsNotSwapped() {
        LeaderRecord record = claim(3, grant());
        get(client.swap(BILLING, Revision.ABSENT, record));

        rig.patch("billing", "{\"metadata\":{\"annotations\":{\"incumbent.dev/election\":\"reports\"}}}");

        assertThat(reading())
                .isInstanceOfSatisfying(
                        Reading.Foreign.class,
                        foreign -> assertThat(foreign.why()).contains("is of the election 'reports', not of billing"));
        CoordinatorException swap = failure(client.swap(
                BILLING, new Revision(record.nonce()), record.vacated(3, NOON).written("n2")));
        assertThat(swap.mayHaveApplied()).isFalse();
    }

    @Test
    void aRecordWhoseNonceWasEditedIsNotUnderstood() {
        get(client.swap(BILLING, Revision.ABSENT, claim(3, grant())));

        rig.patch("billing", "{\"metadata\":{\"annotations\":{\"incumbent.dev/nonce\":\"by-hand\"}}}");

        assertThat(reading())
                .isInstanceOfSatisfying(
                        Reading.Foreign.class,
                        foreign ->
                                assertThat(foreign.why()).contains("was edited").contains("'by-hand'"));
    }

    /** Those who list sessions do not see it, so its holder must not go on. */
    @Test
    void aSessionThatLostItsLabelIsDeadForAll() {
        LeaseId lease = grant();
        get(client.swap(BILLING, Revision.ABSENT, claim(3, lease)));

        rig.patch(lease.value(), "{\"metadata\":{\"labels\":{\"incumbent.dev/kind\":null}}}");

        assertThat(reading())
                .isInstanceOfSatisfying(
                        Reading.Found.class,
                        found -> assertThat(found.record().leaseAlive()).isFalse());
        assertThat(failure(client.keepAlive(lease)).mayHaveApplied()).isFalse();
    }

    @Test
    void anAnnotationThatSomebodyAddsChangesNothing() {
        LeaderRecord record = claim(3, grant());
        get(client.swap(BILLING, Revision.ABSENT, record));

        rig.patch("billing", "{\"metadata\":{\"annotations\":{\"team\":\"ledger\"}}}");

        assertThat(reading()).isInstanceOf(Reading.Found.class);
        assertThat(get(client.swap(
                        BILLING,
                        new Revision(record.nonce()),
                        record.vacated(3, NOON).written("n2"))))
                .isInstanceOf(Swap.Accepted.class);
        assertThat(rig.server().ask("GET", rig.path("billing"), "", "").body()).contains("\"team\":\"ledger\"");
    }

    @Test
    void aRecordThatIsDeletedByHandIsToldAsAGapAndIsAbsent() {
        get(client.swap(BILLING, Revision.ABSENT, claim(3, grant())));
        AtomicInteger gaps = new AtomicInteger();
        AtomicInteger records = new AtomicInteger();
        client.watch(BILLING, new Counting(gaps, records));
        await("the first call", () -> records.get() == 1);

        rig.server().ask("DELETE", rig.path("billing"), "", "");

        await("a gap, and then the absence", () -> gaps.get() == 1 && records.get() == 2);
        assertThat(reading()).isInstanceOf(Reading.Absent.class);
    }

    @Test
    void whoListsCandidatesRemovesThoseWhoseSessionIsGone() {
        LeaseId dead = grant();
        LeaseId alive = grant();
        get(client.enlist(BILLING, new Enlisted(ADA, dead, NOON, Set.of())));
        Candidate bob = new Candidate(new CandidateId("bob@host-1-b"), "bob", "");
        get(client.enlist(BILLING, new Enlisted(bob, alive, NOON, Set.of())));
        get(client.revoke(dead));

        assertThat(get(client.candidates(Set.of(BILLING))).get(BILLING))
                .extracting(Enlisted::candidate)
                .containsExactly(bob);

        await("the removal", () -> isGone(Names.of(BILLING, ADA.id())));
        assertThat(isGone(Names.of(BILLING, bob.id()))).isFalse();
    }

    @Test
    void sessionsThatNobodyKeepsAliveAreBuriedByWhoListsCandidates() {
        LeaseId silent = get(client.grant(ADA.id(), Duration.ofSeconds(2))).id();

        await("the burial", () -> {
            get(client.candidates(Set.of(BILLING)));
            return isGone(silent.value());
        });
    }

    @Test
    void aSessionThatIsKeptAliveIsNotBuriedByWhoSawItLongAgo() {
        Coordinator other = rig.connect();
        LeaseId lease = get(client.grant(ADA.id(), Duration.ofSeconds(2))).id();
        get(other.candidates(Set.of(BILLING)));

        for (int i = 0; i < 3; i++) {
            rig.passTime(Duration.ofSeconds(1));
            get(client.keepAlive(lease));
        }
        get(other.candidates(Set.of(BILLING)));

        get(client.keepAlive(lease));
    }

    @Test
    void aCallWhoseAnswerIsLostIsNotSentAgain() {
        LeaseId lease = grant();

        rig.loseNextAnswer(client);
        CoordinatorException lost = failure(client.keepAlive(lease));

        assertThat(lost.mayHaveApplied()).isTrue();
        get(client.keepAlive(lease));
    }

    /** A server that was started on older data knows nothing of the changes before: 410, within an answer that begins with 200. */
    @Test
    void aStreamFromAPositionThatTheServerForgotEnds() {
        AtomicInteger ends = new AtomicInteger();
        KubeApiServer later = rig.server().restored(rig.server().backUp());
        Transport transport = Transport.open(
                Config.fromKubeconfig(later.kubeconfig(later.port(), KubeApiServer.ADMIN, "default")), () -> 0);

        ChangeStream stream = ChangeStream.open(
                transport,
                new Leases(rig.namespace()).watch(Leases.ALL_BUT_CANDIDATES, 1, Duration.ofMinutes(1)),
                Duration.ofSeconds(20).toNanos(),
                new ChangeStream.Listener() {
                    @Override
                    public void began(ChangeStream which) {}

                    @Override
                    public void changed(ChangeStream by, String type, Stored object) {}

                    @Override
                    public void ended(ChangeStream which, Ending ending) {
                        ends.addAndGet(ending.kind() == Ending.Kind.IN_ORDER ? 100 : 1);
                    }
                });

        await("its end, not in good order", () -> ends.get() == 1);
        stream.close();
        transport.close();
        later.close();
    }

    @Test
    void theRightsOfTheManifestSuffice() throws Exception {
        grantRights(rig, manifest());
        Coordinator elector = rig.connect(KubeApiServer.ELECTOR, Mode.CREATE);
        AtomicInteger told = new AtomicInteger();

        elector.watch(BILLING, new Counting(new AtomicInteger(), told));
        LeaseId lease = get(elector.grant(ADA.id(), rig.lease())).id();
        get(elector.enlist(BILLING, new Enlisted(ADA, lease, NOON, Set.of())));
        LeaderRecord record = claim(1, lease);
        get(elector.swap(BILLING, Revision.ABSENT, record));
        get(elector.keepAlive(lease));
        get(elector.swap(
                BILLING, new Revision(record.nonce()), record.vacated(1, NOON).written("n2")));
        get(elector.read(Set.of(BILLING)));
        assertThat(get(elector.elections(""))).contains(BILLING);
        assertThat(get(elector.candidates(Set.of(BILLING))).get(BILLING)).hasSize(1);
        get(elector.withdraw(BILLING, ADA.id()));
        get(elector.revoke(lease));

        await("the watch", () -> told.get() >= 2);
    }

    @Test
    void whoMayOnlyReadReadsAndIsToldWhatItMayNot() throws Exception {
        grantRights(rig, manifest().replaceFirst("verbs: .*", "verbs: [get, list, watch]"));
        LeaseId lease = grant();
        get(client.enlist(BILLING, new Enlisted(ADA, lease, NOON, Set.of())));
        LeaderRecord record = claim(1, lease);
        get(client.swap(BILLING, Revision.ABSENT, record));
        Coordinator reader = rig.connect(KubeApiServer.ELECTOR, Mode.READ_ONLY);
        Coordinator writer = rig.connect(KubeApiServer.ELECTOR, Mode.CREATE);

        AtomicInteger told = new AtomicInteger();
        reader.watch(BILLING, new Counting(new AtomicInteger(), told));
        assertThat(get(reader.read(Set.of(BILLING))).get(BILLING)).isInstanceOf(Reading.Found.class);
        assertThat(get(reader.elections(""))).contains(BILLING);
        assertThat(get(reader.candidates(Set.of(BILLING))).get(BILLING)).hasSize(1);
        await("the watch", () -> told.get() == 1);
        get(client.swap(
                BILLING, new Revision(record.nonce()), record.vacated(1, NOON).written("n2")));
        await("the watch", () -> told.get() == 2);
        assertThat(failure(writer.grant(ADA.id(), rig.lease())))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("forbids it")
                .hasMessageContaining("cannot create resource \"leases\"");
    }

    /** From the folder of the repository or of this module. */
    static String manifest() throws IOException {
        return Files.readString(
                Files.exists(MANIFEST) ? MANIFEST : Path.of("..", "..").resolve(MANIFEST));
    }

    /** Applies a manifest as kubectl would, to the user of the token in place of the pods' account. */
    static void grantRights(KubeRig rig, String manifest) {
        assertThat(manifest)
                .contains("kind: ServiceAccount\n    name: default\n    #")
                .contains("\n    namespace: default\n");
        String[] documents = manifest.replace("ServiceAccount", "User")
                .replace("    namespace: default\n", "")
                .replace("name: default", "name: elector\n    apiGroup: rbac.authorization.k8s.io")
                .split("(?m)^---$", -1);
        List<String> kinds = List.of("roles", "rolebindings");
        assertThat(documents).hasSameSizeAs(kinds);
        for (int i = 0; i < kinds.size(); i++) {
            String path = "/apis/rbac.authorization.k8s.io/v1/namespaces/" + rig.namespace() + "/" + kinds.get(i);
            KubeApiServer.Reply reply = rig.server().ask("POST", path, "application/yaml", documents[i]);
            assertThat(reply.code()).as(reply.body()).isEqualTo(201);
        }
        await(rig, "the rights", () -> rig.may(KubeApiServer.ELECTOR));
    }

    private boolean isGone(String object) {
        return rig.server().ask("GET", rig.path(object), "", "").code() == 404;
    }

    private LeaseId grant() {
        return get(client.grant(ADA.id(), rig.lease())).id();
    }

    private LeaderRecord claim(long term, LeaseId lease) {
        return LeaderRecord.EMPTY.claimedBy(term, ADA, lease, rig.lease(), NOON).written("n1");
    }

    private Reading reading() {
        return java.util.Optional.ofNullable(get(client.read(Set.of(BILLING))).get(BILLING))
                .orElseThrow();
    }

    private void await(String what, BooleanSupplier holds) {
        await(rig, what, holds);
    }

    private static void await(KubeRig rig, String what, BooleanSupplier holds) {
        long end = rig.timeline().nanos() + Duration.ofSeconds(30).toNanos();
        while (!holds.getAsBoolean()) {
            assertThat(rig.timeline().nanos()).as(what).isLessThan(end);
            rig.passTime(Duration.ofMillis(50));
        }
    }

    private static <T> T get(CompletionStage<T> call) {
        return call.toCompletableFuture().join();
    }

    private record Counting(AtomicInteger gaps, AtomicInteger records) implements Watcher {
        @Override
        public void changed(ObservedRecord record) {
            records.incrementAndGet();
        }

        @Override
        public void gap() {
            gaps.incrementAndGet();
        }

        @Override
        public void currentAsOf(long sentAtNanos) {}
    }
}
