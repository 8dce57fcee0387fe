package dev.incumbent.coordinator.tck;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** Twins that lie about records. */
final class RecordTwins {
    private RecordTwins() {}

    static Stream<Twin> all() {
        return Stream.of(swaps(), reads(), parts(), lists(), answers()).flatMap(twins -> twins);
    }

    private static Stream<Twin> swaps() {
        return Stream.of(
                Twin.of(
                        "a refusal that bears my own nonce is told as refused",
                        () -> (honest, time) -> new OwnNonceRefused(honest),
                        "Records.aRefusalThatFindsMyOwnNonceIsAccepted"),
                Twin.of(
                        "a compare is no compare",
                        () -> (honest, time) -> new NoCompare(honest),
                        "Records.ofTwoSwapsOnOneRevisionOneIsRefused",
                        "Records.ofTwoSwapsSentAtOnceOneIsRefused",
                        "Records.aSwapOnAbsentCreatesTheRecordOnce",
                        "Records.aSwapOnARevisionThatNeverWasIsRefused"),
                Twin.of(
                        "creating writes over what is there",
                        () -> (honest, time) -> new CreateOverwrites(honest),
                        "Records.aSwapOnAbsentCreatesTheRecordOnce"),
                Twin.of(
                        "a refusal tells every lease as dead",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public CompletionStage<Swap> swap(
                                    ElectionName election, Revision expected, LeaderRecord next) {
                                return honest.swap(election, expected, next)
                                        .thenApply(swap -> swap instanceof Swap.Refused refused
                                                ? new Swap.Refused(
                                                        refused.current().map(it -> withLeaseAlive(it, false)))
                                                : swap);
                            }
                        },
                        "Records.ofTwoSwapsOnOneRevisionOneIsRefused"));
    }

    private static Stream<Twin> reads() {
        return Stream.of(
                Twin.of(
                        "a read is served from what was read before",
                        () -> (honest, time) -> new StaleRead(honest),
                        "Records.aReadIsNeverOlderThanAnAcknowledgedWriteOfAnotherClient"),
                Twin.of(
                        "revisions repeat after a restore",
                        () -> (honest, time) -> new CountedRevisions(honest),
                        "Records.revisionsNeverRepeatAlsoInARestoredStore"),
                Twin.of(
                        "a record is deleted with its lease",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
                                return readOtherwise(
                                        elections, (name, reading) -> isDead(reading) ? new Reading.Absent() : reading);
                            }
                        },
                        "Records.aRecordOutlivesItsLeaderAndItsLease"));
    }

    private static Stream<Twin> parts() {
        return Stream.of(
                Twin.of(
                        "the lives of the leases are told in another order than the records",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
                                return honest.read(elections).thenApply(RecordTwins::livesPassedOn);
                            }
                        },
                        "Records.recordsReadTogetherHaveEachTheLifeOfItsOwnLease"),
                Twin.of(
                        "a field is dropped on the way",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public CompletionStage<Swap> swap(
                                    ElectionName election, Revision expected, LeaderRecord next) {
                                return honest.swap(election, expected, next.withRetiredSinks(Set.of()));
                            }
                        },
                        "Records.whatIsSwappedIsReadBackWhole"),
                Twin.of(
                        "one bad record spoils a whole read",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
                                return readOtherwise(elections, (name, reading) -> {
                                    if (reading instanceof Reading.Foreign) {
                                        throw new CoordinatorException("twin", false);
                                    }
                                    return reading;
                                });
                            }
                        },
                        "Records.oneBadRecordSpoilsNoOther"));
    }

    private static Stream<Twin> lists() {
        return Stream.of(
                Twin.of(
                        "a foreign name spoils every list",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public CompletionStage<List<ElectionName>> elections(String prefix) {
                                return honest.elections("")
                                        .thenCompose(all -> all.contains(MemoryRig.FOREIGN)
                                                ? CompletableFuture.failedStage(
                                                        new CoordinatorException("a name that is none", false))
                                                : honest.elections(prefix));
                            }
                        },
                        "Records.aForeignNameSpoilsNoList",
                        "Candidates.anEntryUnderAForeignNameSpoilsNoList"),
                Twin.of(
                        "one bad candidate spoils a whole list",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(
                                    Set<ElectionName> elections) {
                                return honest.elections("")
                                        .thenCompose(all -> all.contains(MemoryRig.UNREADABLE_CANDIDATE)
                                                ? CompletableFuture.failedStage(
                                                        new CoordinatorException("a candidate that is none", false))
                                                : honest.candidates(elections));
                            }
                        },
                        "Candidates.anEntryThatCannotBeReadSpoilsNoOther"),
                Twin.of(
                        "a prefix is a pattern",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public CompletionStage<List<ElectionName>> elections(String prefix) {
                                String pattern = prefix.replace("_", ".") + ".*";
                                return honest.elections("")
                                        .thenApply(all -> all.stream()
                                                .filter(name -> name.value().matches(pattern))
                                                .toList());
                            }
                        },
                        "Records.electionsAreListedByNameOrBeneathItInOrder"),
                Twin.of(
                        "an election without a record is not listed",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public CompletionStage<List<ElectionName>> elections(String prefix) {
                                return honest.elections(prefix)
                                        .thenApply(all -> all.stream()
                                                .filter(name ->
                                                        !current(honest, name).equals(ObservedRecord.ABSENT))
                                                .toList());
                            }
                        },
                        "Candidates.anElectionThatHasOnlyACandidateIsListed"));
    }

    private static Stream<Twin> answers() {
        return Stream.of(
                Twin.of(
                        "a read tells only what it found",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
                                return honest.read(elections).thenApply(readings -> {
                                    Map<ElectionName, Reading> found = new LinkedHashMap<>(readings);
                                    found.values().removeIf(Reading.Absent.class::isInstance);
                                    return found;
                                });
                            }
                        },
                        "Records.aReadTellsOfEveryElectionAskedForAndOfNoOther"),
                Twin.of(
                        "the revision of a swap is not the one that is read",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public CompletionStage<Swap> swap(
                                    ElectionName election, Revision expected, LeaderRecord next) {
                                return honest.swap(election, expected, next)
                                        .thenApply(swap -> swap instanceof Swap.Accepted
                                                ? new Swap.Accepted(new Revision("accepted " + next.nonce()))
                                                : swap);
                            }
                        },
                        "Records.theRevisionOfAnAcceptedSwapIsTheOneThatIsReadAndThatTheNextSwapNames"),
                Twin.of(
                        "names are told apart without their case",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public CompletionStage<Swap> swap(
                                    ElectionName election, Revision expected, LeaderRecord next) {
                                return honest.swap(
                                        new ElectionName(election.value().toLowerCase(Locale.ROOT)), expected, next);
                            }
                        },
                        "Records.everyLegalNameNamesAnElection"),
                Twin.of(
                        "a read is served by a node that is behind",
                        () -> (honest, time) -> new StaleRead(honest),
                        "Histories.whatClientsAreToldAtOnceIsLinearizable"));
    }

    /** To each leader's record, whether the lease of the one before lives. */
    private static Map<ElectionName, Reading> livesPassedOn(Map<ElectionName, Reading> readings) {
        Map<ElectionName, Reading> told = new LinkedHashMap<>();
        Optional<Boolean> before = Optional.empty();
        for (Map.Entry<ElectionName, Reading> each : readings.entrySet()) {
            Reading reading = each.getValue();
            if (reading instanceof Reading.Found found
                    && found.record().record().leader().isPresent()) {
                boolean own = found.record().leaseAlive();
                reading = new Reading.Found(Forwarding.withLeaseAlive(found.record(), before.orElse(own)));
                before = Optional.of(own);
            }
            told.put(each.getKey(), reading);
        }
        return told;
    }

    private static boolean isDead(Reading reading) {
        return reading instanceof Reading.Found found
                && found.record().record().leader().isPresent()
                && !found.record().leaseAlive();
    }

    /** The state as it is now. */
    private static ObservedRecord current(Coordinator honest, ElectionName election) {
        Reading reading = Forwarding.answerNow(honest.read(Set.of(election)), Map.of())
                .getOrDefault(election, new Reading.Unread("nothing was told"));
        return reading instanceof Reading.Found found ? found.record() : ObservedRecord.ABSENT;
    }

    private static final class OwnNonceRefused extends Forwarding {
        private final Set<String> accepted = new HashSet<>();

        private OwnNonceRefused(Coordinator honest) {
            super(honest);
        }

        @Override
        public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
            return honest.swap(election, expected, next)
                    .thenApply(swap -> swap instanceof Swap.Accepted && !accepted.add(next.nonce())
                            ? new Swap.Refused(Optional.empty())
                            : swap);
        }
    }

    private static final class NoCompare extends Forwarding {
        private NoCompare(Coordinator honest) {
            super(honest);
        }

        @Override
        public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
            return honest.swap(election, current(honest, election).revision(), next);
        }
    }

    private static final class CreateOverwrites extends Forwarding {
        private CreateOverwrites(Coordinator honest) {
            super(honest);
        }

        @Override
        public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
            Revision found = current(honest, election).revision();
            return honest.swap(election, expected.equals(Revision.ABSENT) ? found : expected, next);
        }
    }

    private static final class StaleRead extends Forwarding {
        private final Map<ElectionName, Reading> known = new HashMap<>();

        private StaleRead(Coordinator honest) {
            super(honest);
        }

        @Override
        public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
            return readOtherwise(elections, (name, reading) -> {
                Optional<Reading> before = Optional.ofNullable(known.put(name, reading));
                return before.orElse(reading);
            });
        }
    }

    /** Counts for a revision what is not unique: the record's term. */
    private static final class CountedRevisions extends Forwarding {
        private CountedRevisions(Coordinator honest) {
            super(honest);
        }

        @Override
        public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
            return readOtherwise(elections, (name, reading) -> tellOtherwise(reading, CountedRevisions::counted));
        }

        @Override
        public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
            ObservedRecord found = current(honest, election);
            Revision meant = counted(found).revision().equals(expected) ? found.revision() : expected;
            return honest.swap(election, meant, next)
                    .thenApply(swap -> swap instanceof Swap.Accepted
                            ? new Swap.Accepted(new Revision("term " + next.term()))
                            : swap);
        }

        private static ObservedRecord counted(ObservedRecord record) {
            return record.revision().equals(Revision.ABSENT)
                    ? record
                    : new ObservedRecord(
                            record.record(),
                            new Revision("term " + record.record().term()),
                            record.leaseAlive(),
                            record.leaseRemaining());
        }
    }
}
