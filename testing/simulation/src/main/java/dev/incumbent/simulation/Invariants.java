package dev.incumbent.simulation;

import java.util.List;

/** All invariants of the design. */
final class Invariants {
    private Invariants() {}

    static List<Inspector> all(World world) {
        return List.of(
                new TermInvariants.OneLeaderPerTerm(world),
                new TermInvariants.TermsNeverRepeat(world),
                new TermInvariants.NoLeaderBeyondItsLease(world),
                new SinkInvariants.SinksAdmitInTermOrder(world),
                new SinkInvariants.NothingStaleAfterTheRaise(world),
                new TermInvariants.NoUnfencedVacancyWhileTheTaskRuns(world),
                new OnlyTheOwnerEndsItsTerm(world),
                new SinkInvariants.NobodyLeadsOnceFrozen(world),
                new SinkInvariants.OnlyAThawPassesAFreeze(world),
                new TermInvariants.SupersededStopsInTime(world),
                new TermInvariants.CallbacksArePaired(world),
                new TermInvariants.NobodySpinsTheStore(world),
                new RecoveryInvariants.SomeoneLeadsOnceFaultsCease(world),
                new RecoveryInvariants.SinksTakeItsWrites(world),
                new DriverInvariants.NoLeaseIsRevokedUnderAnUnfencedTask(world),
                new DriverInvariants.AnUnwellProcessBeginsNoTerm(world),
                new DriverInvariants.WhoClosedIsNamedByNoRecord(world),
                new DriverInvariants.EveryStageCompletes(world),
                new RepeatInvariants.WhoHasResignedRunsNoTask(world),
                new RepeatInvariants.NoCallEndsALaterTerm(world),
                new DriverInvariants.WhoStandsIsSoonEnlisted(world),
                new DriverInvariants.TasksAreSoonToldToStop(world),
                new NoGuardOutlastsItsLease(world),
                new StepInvariants.WhoeverClaimsCouldLead(world),
                new StepInvariants.WhoeverIsSupersededWas(world),
                new RecordInvariants.EveryTermIsInTheHistory(world),
                new RecordInvariants.AHandoverNamesItsSuccessor(world),
                new RecordInvariants.MarksThatWereMetAreWrittenDown(world),
                new StonithInvariants.NobodyBeginsBesideAHolder(world),
                new StonithInvariants.NobodyTurnsOffWhoCameAfter(world),
                new PlanInvariants.APlanWaitsForItsTime(world),
                new PlanInvariants.APlanIsDoneOnce(world),
                new PlanInvariants.APlanIsNotForgotten(world),
                new PlanInvariants.ADuePlanIsSettled(world),
                new OrderInvariants.SomebodyLeadsWhereverOneStands(world),
                new MoveInvariants.OneMoveForEachChange(world),
                new MoveInvariants.OnlyTheBetterIsMovedTo(world),
                new StandingInvariants.AnUnwellLeaderStops(world),
                new StandingInvariants.RenewalGoesOnWhateverUserCodeDoes(world));
    }
}
