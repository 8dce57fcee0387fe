package dev.incumbent.fence.tck;

/** What a twin of the memory sink does wrong, and the sentence of the contract that must fail for it. */
enum Flaw {
    REFUSES_THE_TOKEN_IN_FORCE("aTokenEqualToTheMarkIsAdmitted"),
    ADMITS_A_SMALLER_TOKEN("aSmallerTokenIsStale"),
    COMPARES_TOKENS_AS_TEXTS("aTokenOfFewerDigitsIsStale"),
    ADMITS_A_GREATER_TOKEN("aGreaterTokenIsNotRaisedHereAndLiftsNothing"),
    ADMISSION_LIFTS_THE_MARK("aGreaterTokenIsNotRaisedHereAndLiftsNothing"),
    ADMITS_WHERE_THERE_IS_NO_MARK("whereThereIsNoMarkNothingIsAdmitted"),
    TAKES_AN_UNREADABLE_TOKEN_FOR_THE_MARK("anUnreadableTokenIsRefused"),
    ADMITS_OUTSIDE_A_TRANSACTION("nothingIsAdmittedOutsideATransaction"),
    ADMITS_FROM_AN_OLD_SNAPSHOT("anOldSnapshotAdmitsNothingStale"),
    DOES_NOT_WAIT_FOR_THE_ADMITTED("aRaiseWaitsForTheAdmitted"),
    HOLDS_ON_AFTER_A_ROLLBACK("aTransactionRolledBackLetsTheRaiseThrough"),
    WAITS_FOR_EVER("aRaiseThatWaitsInVainGivesUpAndSaysSo"),
    LETS_NEWCOMERS_OVERTAKE("newcomersDoNotOvertakeARaise"),
    CHECKS_AND_WRITES_IN_TWO_STEPS("aRaiseGetsThroughBesideBusyWritersAndNothingOlderLandsAfterIt"),
    DECIDES_BEFORE_IT_WAITS("raisesThatWaitTogetherAreDecidedOneAfterTheOther"),
    REFUSES_ITS_OWNERS_REPEAT("aRaiseIsRepeatableByItsOwner"),
    FORGETS_THE_OWNER("anEqualMarkOfAnotherIsRefusedHoweverOftenItIsAsked"),
    TELLS_A_REFUSAL_AS_SUCCESS_WHEN_ASKED_AGAIN("anEqualMarkOfAnotherIsRefusedHoweverOftenItIsAsked"),
    COMPARES_OWNERS_WITHOUT_THEIR_CASE("ownersAndElectionsThatDifferInTheirCaseAreTwo"),
    KNOWS_ELECTIONS_WITHOUT_THEIR_CASE("ownersAndElectionsThatDifferInTheirCaseAreTwo"),
    COMPARES_WITH_NOT_EQUAL("aLowerRaiseIsRefusedWithTheMarkInForce"),
    RAISES_BY_A_TYPO("aRaiseByMoreThanTwoToTheThirtyTwoIsRefused"),
    A_CANDIDATE_PASSES_A_FREEZE("aFreezeRefusesEveryoneElseWhateverTheNumber"),
    AN_OPERATOR_PASSES_A_FREEZE("aFreezeRefusesEveryoneElseWhateverTheNumber"),
    A_FREEZE_DOES_NOT_PASS_A_FREEZE("aNewerFreezePassesAFreeze"),
    A_THAW_PASSES_WHATEVER_IT_FINDS("onlyAThawThatNamesItsMarkPassesAFreeze"),
    A_THAW_OWNS_LIKE_A_FREEZE("aThawsMarkMayBePassed"),
    FORGETS_ITS_MARKS_WHEN_RESTARTED("theMarkAndItsOwnerOutliveARestart"),
    FORGETS_FREEZES_WHEN_RESTARTED("aFreezeOutlivesARestart"),
    COMMITS_WHAT_WAS_OPEN_WHEN_RESTARTED("whoRestartsUnderAnAdmissionWritesNothing"),
    HAS_ONE_MARK_FOR_ALL("electionsDoNotTouchEachOther"),
    HAS_ONE_LOCK_FOR_ALL("anAdmissionOfOneElectionDoesNotHoldUpTheRaiseOfAnother"),
    TELLS_ONLY_ITS_FIRST_MARK("marksAreToldForThoseAskedAndForAll"),
    LEAVES_AN_UNREADABLE_MARK_OUT("oneUnreadableMarkHidesNoOtherAndIsNotAbsent"),
    IS_SPOILT_BY_AN_UNREADABLE_MARK("oneUnreadableMarkHidesNoOtherAndIsNotAbsent"),
    IS_SPOILT_BY_A_FOREIGN_NAME("aForeignNameAmongTheMarksSpoilsNothing"),
    TELLS_A_HUNDRED_MARKS_AT_MOST("theMarksOfManyElectionsAreToldTogether"),
    REMEMBERS_MARKS_PER_CONNECTION("whoeverOpensTheSinkSeesTheSame"),
    IS_BORN_AGAIN_BY_AN_INSTALL("theIdIsBornOnceAndTheMarksSurviveAnotherInstall"),
    HAS_ITS_URL_FOR_AN_ID("twoSinksHaveTwoIds"),
    STAYS_WITH_THE_OLD_FILE("aSinkPutBackShowsItsOlderMarkToWhoHasItOpen"),
    KEEPS_RAISES_THAT_GAVE_UP_IN_ITS_QUEUE("raisesThatGaveUpHoldUpNobody"),
    REFUSES_A_REPEAT_THAT_WAITED("aRaiseMadeTwiceAtOnceByItsOwnerIsRaisedBothTimes"),
    COUNTS_EACH_ADMISSION_OF_A_TRANSACTION("anAdmissionMadeTwiceInATransactionEndsWithIt"),
    IS_BORN_AGAIN_BY_INSTALLS_AT_ONCE("installsAtOnceChangeNeitherTheIdNorAMark"),
    ANSWERS_WHEN_CLOSED("aClosedSinkSaysSoAndIsClosedAgainWithoutHarm");

    private final String sentence;

    Flaw(String sentence) {
        this.sentence = sentence;
    }

    String sentence() {
        return sentence;
    }
}
