package dev.incumbent.adverse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.incumbent.adverse.AdverseRig.ServerFault;
import dev.incumbent.adverse.Office.Standing;
import dev.incumbent.coordinator.tck.Cut;
import dev.incumbent.coordinator.tck.Punctuality;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What candidacies keep on every store in trouble: no false "yes", no stuck candidacy, recovery without a restart of the process. An adapter's test extends this
 * by one method. Every test that harms a server has one of its own, and every test an election of its own.
 */
@Tag("realtime")
public abstract class AdverseContract {
    private static final int STEPS = 2;

    /** The slowest answer takes this part of a request timeout. */
    private static final int SLOWEST = 5;

    private AdverseRig rig;
    private Office office;

    /** For tests of adapters. */
    protected AdverseContract() {}

    /** A server that nobody else uses, and its wires. */
    protected abstract AdverseRig openRig() throws Exception;

    /** For a test that harms wires alone: its server may serve other tests at the same time, so that there are fewer to start. */
    protected AdverseRig openSharedRig() throws Exception {
        return openRig();
    }

    /** Does a test harm servers, and not only wires? */
    protected static boolean harmsServers(Method test) {
        return List.of(test.getParameterTypes()).contains(ServerFault.class);
    }

    @BeforeEach
    final void open(TestInfo test) throws Exception {
        rig = test.getTestMethod().filter(AdverseContract::harmsServers).isPresent() ? openRig() : openSharedRig();
        office = new Office(rig);
    }

    @AfterEach
    final void close() {
        office.close();
        rig.close();
    }

    @ParameterizedTest
    @EnumSource
    final void aLeaderCutOffIsSucceededAndStandsAgain(Cut how) {
        assumeTrue(rig.cuts().contains(how), () -> "this rig cannot cut a client off so that it is " + how);
        Standing first = office.awaitLeader();
        long before = office.token();

        rig.cut(first.coordinator(), how);
        awaitStepDown(first);
        Standing next = office.awaitLeaderAmong(othersThan(first));
        rig.heal(first.coordinator());

        assertThat(office.token()).isGreaterThan(before);
        assertThat(next).isNotSameAs(first);
        awaitEnlisted(first);
        office.assertLawful();
    }

    @ParameterizedTest
    @EnumSource
    final void whenAllWereCutOffSomeoneLeadsAgainOnceHealed(Cut how) {
        assumeTrue(rig.cuts().contains(how), () -> "this rig cannot cut a client off so that it is " + how);
        Standing first = office.awaitLeader();

        office.standing().forEach(one -> rig.cut(one.coordinator(), how));
        awaitStepDown(first);
        rig.passTime(rig.lease().dividedBy(2));
        office.standing().forEach(one -> rig.heal(one.coordinator()));

        office.awaitLeader();
        office.standing().forEach(this::awaitEnlisted);
        office.assertLawful();
    }

    @Test
    final void lostAnswersMakeNoFalseLeaderAndLeaveNoneStuck() {
        Random random = new Random(7);
        long end = rig.timeline().nanos() + troubledTime().toNanos();

        while (rig.timeline().nanos() < end) {
            Standing one = any(random);
            rig.loseNextAnswer(one.coordinator());
            rig.passTime(Duration.ofMillis(20 + random.nextInt(200)));
        }
        office.standing().forEach(one -> rig.heal(one.coordinator()));

        office.awaitLeader();
        office.standing().forEach(this::awaitEnlisted);
        office.assertLawful();
    }

    @Test
    final void connectionsResetAtAnyTimeMakeNoFalseLeaderAndLeaveNoneStuck() {
        Random random = new Random(11);
        long end = rig.timeline().nanos() + troubledTime().toNanos();

        while (rig.timeline().nanos() < end) {
            rig.reset(any(random).coordinator());
            rig.passTime(Duration.ofMillis(20 + random.nextInt(200)));
        }

        office.awaitLeader();
        office.standing().forEach(this::awaitEnlisted);
        office.assertLawful();
    }

    @Test
    final void aSlowWireCostsNoTerm() {
        Standing leader = office.awaitLeader();
        long before = office.token();

        rig.slow(leader.coordinator(), rig.requestTimeout().dividedBy(10));
        rig.passTime(rig.lease().multipliedBy(2));

        assertThat(leader.leads()).as(() -> office.healths().toString()).isTrue();
        assertThat(office.token()).isEqualTo(before);
        office.assertLawful();
    }

    @Test
    final void whatABeliefRestsOnIsAsOldAsItsOwnRequest() {
        assumeTrue(rig.isWired(), "this rig has no wires");
        Standing leader = office.awaitLeader();
        Duration delay = rig.requestTimeout().dividedBy(6);
        rig.slowAnswers(leader.coordinator(), delay);
        rig.passTime(delay); // what was on its way has come

        leader.evidence().forget();
        rig.passTime(rig.lease());

        Map<Evidence.Kind, Long> youngest = leader.evidence().youngestNanos();
        assertThat(youngest).containsKeys(Evidence.Kind.KEEP_ALIVE, Evidence.Kind.RECORD);
        assertThat(youngest)
                .allSatisfy((kind, age) ->
                        assertThat(age).as("the age of the youngest " + kind).isGreaterThanOrEqualTo(delay.toNanos()));
        assertThat(leader.leads()).as(() -> office.healths().toString()).isTrue();
        office.assertLawful();
    }

    @ParameterizedTest
    @EnumSource(names = {"SILENT", "MUTE"})
    final void aLeaderWhoseAnswersSlowDownBeforeItIsCutOffIsSucceeded(Cut how) {
        assumeTrue(rig.isWired() && rig.cuts().contains(how), () -> "this rig cannot slow a client and cut it " + how);
        Standing first = office.awaitLeader();
        long before = office.token();
        slowDown(first);
        assertThat(office.token()).as("the token while answers were slow").isEqualTo(before);

        rig.cut(first.coordinator(), how);
        awaitEndOfBelief(first, rig.timeline().nanos());
        Standing next = office.awaitLeaderAmong(othersThan(first));
        rig.slowAnswers(first.coordinator(), Duration.ZERO);
        rig.heal(first.coordinator());

        assertThat(office.token()).isGreaterThan(before);
        assertThat(next).isNotSameAs(first);
        awaitEnlisted(first);
        office.assertLawful();
    }

    /** A cut of one way alone: what it had asked before is answered, late; what it asks meanwhile arrives when somebody else leads. */
    @Test
    final void aLeaderWhoseRequestsAloneAreCutOffIsSucceeded() {
        assumeTrue(rig.isWired(), "this rig has no wires");
        Standing first = office.awaitLeader();
        long before = office.token();
        slowDown(first);

        rig.hold(first.coordinator());
        awaitEndOfBelief(first, rig.timeline().nanos());
        office.awaitLeaderAmong(othersThan(first));
        rig.slowAnswers(first.coordinator(), Duration.ZERO);
        rig.letGo(first.coordinator());

        assertThat(office.token()).isGreaterThan(before);
        awaitEnlisted(first);
        office.assertLawful();
    }

    @ParameterizedTest
    @EnumSource
    final void aServerInTroubleForLongerThanALeaseIsOutlived(ServerFault fault) {
        assumeTrue(rig.serverFaults().contains(fault), () -> "this rig's server cannot be " + fault);
        Standing first = office.awaitLeader();

        rig.befall(fault);
        if (fault == ServerFault.FULL) {
            rig.passTime(rig.lease().multipliedBy(2)); // it may keep leases alive all the while
        } else {
            awaitStepDown(first);
            rig.passTime(rig.lease().dividedBy(2));
            assertThat(office.leader()).as("who leads without a server").isEmpty();
        }
        rig.recover(fault);

        office.awaitLeader();
        office.standing().forEach(this::awaitEnlisted);
        office.assertLawful();
    }

    @ParameterizedTest
    @EnumSource
    final void aServerInTroubleForAMomentLeavesOneLeader(ServerFault fault) {
        assumeTrue(rig.serverFaults().contains(fault), () -> "this rig's server cannot be " + fault);
        office.awaitLeader();
        long before = office.token();

        rig.befall(fault);
        rig.passTime(rig.requestTimeout());
        rig.recover(fault);

        office.awaitLeader();
        office.standing().forEach(this::awaitEnlisted);
        assertThat(office.token()).isGreaterThanOrEqualTo(before);
        office.assertLawful();
    }

    private Duration troubledTime() {
        return rig.lease().multipliedBy(2).plusSeconds(2);
    }

    private Standing any(Random random) {
        return office.standing().get(random.nextInt(office.standing().size()));
    }

    private List<Standing> othersThan(Standing one) {
        return office.standing().stream().filter(other -> !other.equals(one)).toList();
    }

    /** By and by, to what a call of two questions still bears; it leads all the while. */
    private void slowDown(Standing leader) {
        for (int step = 1; step <= STEPS; step++) {
            rig.slowAnswers(
                    leader.coordinator(),
                    rig.requestTimeout().multipliedBy(step).dividedBy(SLOWEST * STEPS));
            rig.passTime(rig.lease().dividedBy(2));
            assertThat(leader.leads()).as(() -> office.healths().toString()).isTrue();
        }
    }

    /** Nothing that it sent after then arrived in time: its belief ends one lease later, by its own clock and not a moment after. */
    private void awaitEndOfBelief(Standing leader, long lastArrivalNanos) {
        long end = lastArrivalNanos + leader.evidence().lease().toNanos();
        rig.passTime(Duration.ofNanos(Math.max(0, end - rig.timeline().nanos())));
        assertThat(leader.leads())
                .as(() -> "leads a lease after the cut: " + office.healths())
                .isFalse();
    }

    /** It leads no more: a renewal told falsely would keep it leading for ever. That it does not lead beside another is for the witness to see. */
    private void awaitStepDown(Standing leader) {
        within(rig.lease(), "the end of a leadership without a server", () -> !leader.leads());
    }

    /** It stands again or leads: a candidacy that does neither is stuck. */
    private void awaitEnlisted(Standing one) {
        within(
                office.succession(),
                "a candidacy that goes on",
                () -> one.leads() || one.candidacy().health().enlisted());
    }

    private void within(Duration bound, String what, BooleanSupplier holds) {
        new Punctuality(rig).within(bound, () -> what + ": " + office.healths(), holds);
    }
}
