package dev.incumbent.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Elections;
import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.coordinator.memory.FaultyWire;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** The verbs against live elections over the reference store, on real threads and real time. */
@Tag("patient")
class OperatorVerbsTest {
    private final OperatorRig rig;
    private final BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();

    /** A test that waits for the lease is tagged so, and has a short one. */
    OperatorVerbsTest(TestInfo test) {
        rig = new OperatorRig(test.getTags().contains("realtime") ? Duration.ofSeconds(2) : Duration.ofMinutes(1));
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void transferHandsOverAndTellsTheNewToken() throws Exception {
        try (Elections a = standing("a")) {
            next();
            try (Elections b = standing("b")) {
                awaitEnlisted(2);

                CommandRun run = rig.run("transfer", "job", "--to", "b", "-o", "json");

                assertThat(run.code()).as(run.err()).isZero();
                assertThat(run.out())
                        .contains("\"outcome\":\"transferred\"", "\"token\":2", "\"name\":\"b\"", "\"gapMs\":");
                assertThat(run.err()).contains("asked a@", "to hand over to b@");
                assertThat(next().term().leader()).isEqualTo(b.candidate());
                assertThat(a.candidate().name()).isEqualTo("a");
            }
        }
    }

    @Test
    void transferToNobodyIsRefusedWith80AndTheSameTermGoesOn() throws Exception {
        try (Elections a = standing("a")) {
            Leadership leadership = next();

            CommandRun run = rig.run("transfer", "job", "--to", "nobody");

            assertThat(run.code()).isEqualTo(80);
            assertThat(run.out()).isEmpty();
            assertThat(run.err())
                    .contains(
                            "no live candidate is called nobody",
                            a.candidate().id().value());
            assertThat(leadership.holds()).isTrue();
        }
    }

    @Test
    void anAmbiguousNameIsRefusedWith64AndItsIdsAreListed() throws Exception {
        try (Elections a = standing("a")) {
            next();
            try (Elections b = standing("b");
                    Elections other = standing("b")) {
                awaitEnlisted(3);

                CommandRun run = rig.run("transfer", "job", "--to", "b");

                assertThat(run.code()).isEqualTo(64);
                assertThat(run.err())
                        .contains(
                                b.candidate().id().value(),
                                other.candidate().id().value());
                assertThat(a.candidate().name()).isEqualTo("a");
            }
        }
    }

    @Test
    @Tag("realtime")
    void aTransferThatTheTaskDoesNotStopForIsTakenBackWith80() throws Exception {
        CountDownLatch stop = new CountDownLatch(1);
        try (Elections a = standing("a", leadership -> OperatorRig.awaitUninterrupted(stop))) {
            Leadership leadership = next();
            try (Elections b = standing("b")) {
                awaitEnlisted(2);

                CommandRun run = rig.run("transfer", "job", "--to", "b", "-o", "json");

                assertThat(run.code()).isEqualTo(80);
                assertThat(run.out())
                        .contains(
                                "\"outcome\":\"taken-back\"", a.candidate().id().value());
                assertThat(leadership.holds()).isTrue();
                assertThat(rig.record("job").request()).isEmpty();
                assertThat(b.candidate().name()).isEqualTo("b");
            } finally {
                stop.countDown();
            }
        }
    }

    @Test
    void aCoordinatorNotReachedIsToldWith69() {
        rig.wire.suffer(FaultyWire.Fault.REFUSED);

        assertThat(rig.run("freeze", "job", "--why", "x").code()).isEqualTo(69);
        assertThat(rig.run("thaw", "job").code()).isEqualTo(69);
        assertThat(rig.run("transfer", "job", "--to", "a").code()).isEqualTo(69);
        assertThat(rig.run("fence", "retire", "job", "--sink-id", "S-ledger").code())
                .isEqualTo(69);
    }

    @Test
    void resignLetsTheNextLead() throws Exception {
        try (Elections a = standing("a")) {
            next();
            try (Elections b = standing("b")) {
                awaitEnlisted(2);

                CommandRun run = rig.run("resign", "job");

                assertThat(run.code()).as(run.err()).isZero();
                assertThat(run.out())
                        .startsWith("term 1 of job is over, " + b.candidate().id() + " leads, token 2");
                assertThat(a.candidate().name()).isEqualTo("a");
            }
        }
    }

    @Test
    void freezeStopsTheLeaderAndThawLetsTheNextTermBegin() throws Exception {
        try (Elections a = standing("a")) {
            Leadership first = next();

            CommandRun frozen =
                    rig.run("freeze", "job", "--why", "two ledgers", "--sink", "memory:ledger", "-o", "json");
            boolean held = first.holds();
            boolean closed = Objects.requireNonNull(rig.ledger.marks().get(new ElectionName("job")))
                            .owner()
                    instanceof MarkOwner.OfFreeze;
            CommandRun thawed = rig.run("thaw", "job", "--sink", "memory:ledger");

            assertThat(frozen.code()).as(frozen.err()).isZero();
            assertThat(frozen.out()).contains("\"closed\":true", "\"leader\":null", "\"why\":\"two ledgers\"");
            assertThat(held).isFalse();
            assertThat(closed).isTrue();
            assertThat(thawed.code()).as(thawed.err()).isZero();
            assertThat(thawed.out()).isEqualTo("job is thawed; the next term is above 3\n");
            assertThat(next().token().value()).isEqualTo(4);
            assertThat(a.candidate().name()).isEqualTo("a");
        }
    }

    @Test
    void freezeWithoutARecordedSinkSetsTheFlagAndNamesTheSinkWith81() throws Exception {
        try (Elections a = standing("a")) {
            next();

            CommandRun frozen = rig.run("freeze", "job", "--why", "x");
            CommandRun thawed = rig.run("thaw", "job");

            assertThat(frozen.code()).isEqualTo(81);
            assertThat(frozen.err()).contains("sink memory:S-ledger is open: recorded as S-ledger, and not given");
            assertThat(thawed.code()).isEqualTo(81);
            assertThat(thawed.err()).contains("nothing was done");
            assertThat(rig.record("job").isFrozen()).isTrue();
            assertThat(a.candidate().name()).isEqualTo("a");
        }
    }

    @Test
    @Tag("realtime")
    void freezeWaitsUntilQuietWhereItIsAskedTo() throws Exception {
        try (Elections a = standing("a")) {
            next();

            CommandRun run =
                    rig.run("freeze", "job", "--why", "x", "--sink", "memory:ledger", "--wait", "quiet", "-o", "json");

            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.out()).contains("\"quiet\":true", "\"untilQuietMs\":0");
            assertThat(run.err()).contains("quiet in");
            assertThat(a.candidate().name()).isEqualTo("a");
        }
    }

    @Test
    void aForgottenSinkNoLongerStandsInTheRecord() throws Exception {
        try (Elections a = standing("a")) {
            next();

            CommandRun forgotten = rig.run("fence", "retire", "job", "--sink-id", "S-ledger", "-o", "json");
            Set<SinkId> retired = rig.record("job").retiredSinks();
            CommandRun restored = rig.run("fence", "retire", "job", "--sink-id", "S-ledger", "--undo");
            CommandRun unknown = rig.run("fence", "retire", "job", "--sink-id", "S-other");

            assertThat(forgotten.out()).contains("\"outcome\":\"retired\"", "\"changed\":true");
            assertThat(retired).containsExactly(new SinkId("S-ledger"));
            assertThat(restored.out()).isEqualTo("sink S-ledger of job is not retired\n");
            assertThat(unknown.code()).isEqualTo(1);
            assertThat(a.candidate().name()).isEqualTo("a");
        }
    }

    @Test
    void whereNobodyLeadsATransferAndAResignationAreRefused() {
        assertThat(rig.run("freeze", "job", "--why", "x").err()).contains("there was no election job here until now");
        assertThat(rig.run("freeze", "job", "--why", "x").err()).doesNotContain("until now");
        rig.run("thaw", "job");

        assertThat(rig.run("transfer", "job", "--to", "a").code()).isEqualTo(80);
        assertThat(rig.run("resign", "job").code()).isEqualTo(80);
        assertThat(rig.run("thaw", "job").out()).isEqualTo("job is not frozen\n");
    }

    @Test
    void whatCannotBeMeantIsRefusedWith64() {
        assertThat(rig.run("freeze", "job").code()).isEqualTo(64);
        assertThat(rig.run("transfer", "job").code()).isEqualTo(64);
        assertThat(rig.run("freeze", "job", "--why", "x", "--wait", "long").code())
                .isEqualTo(64);
        assertThat(rig.run("fence", "retire", "job", "--sink-id", "a b").code()).isEqualTo(64);
    }

    private Elections standing(String name) {
        return standing(name, leadership -> new CountDownLatch(1).await());
    }

    private Elections standing(String name, LeaderTask task) {
        Elections elections = rig.opened(name);
        elections.election("job").guarding(rig.sink()).campaign(leadership -> {
            begun.add(leadership);
            task.lead(leadership);
        });
        return elections;
    }

    private Leadership next() throws InterruptedException {
        Leadership leadership = begun.poll(10, TimeUnit.SECONDS);
        assertThat(leadership).as("somebody leads").isNotNull();
        return leadership;
    }

    private void awaitEnlisted(int count) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        for (int i = 0; i < 200 && rig.enlisted("job") < count; i++) {
            assertThat(never.await(20, TimeUnit.MILLISECONDS)).isFalse();
        }
        assertThat(rig.enlisted("job")).isEqualTo(count);
    }
}
