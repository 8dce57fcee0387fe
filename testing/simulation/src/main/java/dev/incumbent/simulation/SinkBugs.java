package dev.incumbent.simulation;

import static dev.incumbent.simulation.Canaries.bug;

import dev.incumbent.fence.Raise;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import dev.incumbent.simulation.Canaries.Bug;
import dev.incumbent.simulation.Fault.Kind;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** Bugs of sinks. */
final class SinkBugs {
    private SinkBugs() {}

    static List<Bug> all() {
        return List.of(
                bug("no-fence", "a sink compares tokens", "SinksAdmitInTermOrder", 1, of(NoFence::new)),
                bug(
                                "differs-is-enough",
                                "a sink refuses a smaller token, not merely a differing one",
                                "SinksAdmitInTermOrder",
                                1,
                                of(AdmitsGreater::new))
                        .needing(Kind.TYPO),
                bug(
                                "a-write-lifts-the-mark",
                                "only a raise lifts a mark",
                                "NothingStaleAfterTheRaise",
                                1,
                                of(AdmitLifts::new))
                        .needing(Kind.TYPO),
                bug(
                        "absent-admits",
                        "a sink without a mark admits nothing",
                        "SinksAdmitInTermOrder",
                        1,
                        of(ForgetsAndAdmits::new)),
                bug(
                                "candidate-passes-a-freeze",
                                "only a freeze or a thaw passes a freeze's mark",
                                "OnlyAThawPassesAFreeze",
                                1,
                                of(DeafToOwners::new))
                        .needing(Kind.FREEZE),
                bug("a-raise-lowers", "a raise below the mark is refused", "OneLeaderPerTerm", 1, of(RaiseLowers::new))
                        .needing(Kind.CUT_FROM_SINKS),
                bug(
                                "a-mark-without-owner",
                                "an equal mark that is another's is refused",
                                "OneLeaderPerTerm",
                                1,
                                of(DeafToEquals::new))
                        .needing(Kind.STORE_RESTORED),
                bug(
                        "a-raise-is-lost",
                        "a raise told as done is done",
                        "NothingStaleAfterTheRaise",
                        1,
                        of(LosesRaises::new)));
    }

    private static Canary of(BiFunction<SinkId, Inspectors, SinkModel> maker) {
        return new Canary() {
            @Override
            public SinkModel sink(SinkId id, Inspectors inspectors) {
                return maker.apply(id, inspectors);
            }
        };
    }

    private static final class NoFence extends SinkModel {
        NoFence(SinkId id, Inspectors inspectors) {
            super(id, inspectors);
        }

        @Override
        Admission judge(ElectionName election, FencingToken token) {
            return Admission.ADMITTED;
        }
    }

    private static final class AdmitsGreater extends SinkModel {
        AdmitsGreater(SinkId id, Inspectors inspectors) {
            super(id, inspectors);
        }

        @Override
        Admission judge(ElectionName election, FencingToken token) {
            Admission honest = super.judge(election, token);
            return honest == Admission.NOT_RAISED && mark(election).isPresent() ? Admission.ADMITTED : honest;
        }
    }

    private static final class AdmitLifts extends SinkModel {
        AdmitLifts(SinkId id, Inspectors inspectors) {
            super(id, inspectors);
        }

        @Override
        Admission judge(ElectionName election, FencingToken token) {
            Admission honest = super.judge(election, token);
            if (honest == Admission.NOT_RAISED && mark(election).isPresent()) {
                put(election, new Mark(token, MarkOwner.ofOperator("nobody")));
                return Admission.ADMITTED;
            }
            return honest;
        }
    }

    private static final class ForgetsAndAdmits extends SinkModel {
        private int asked;

        ForgetsAndAdmits(SinkId id, Inspectors inspectors) {
            super(id, inspectors);
        }

        @Override
        Admission judge(ElectionName election, FencingToken token) {
            return ++asked % 7 == 0 ? Admission.ADMITTED : super.judge(election, token);
        }
    }

    private static final class DeafToOwners extends SinkModel {
        DeafToOwners(SinkId id, Inspectors inspectors) {
            super(id, inspectors);
        }

        @Override
        Raise raise(ElectionName election, Mark asked) {
            Optional<Mark> before = mark(election);
            if (before.filter(m -> m.token().compareTo(asked.token()) >= 0 && !m.equals(asked))
                    .isPresent()) {
                return new Raise.Refused(before.orElseThrow());
            }
            put(election, asked);
            return new Raise.Raised(asked);
        }
    }

    private static final class RaiseLowers extends SinkModel {
        RaiseLowers(SinkId id, Inspectors inspectors) {
            super(id, inspectors);
        }

        @Override
        Raise raise(ElectionName election, Mark asked) {
            put(election, asked);
            return new Raise.Raised(asked);
        }
    }

    private static final class DeafToEquals extends SinkModel {
        DeafToEquals(SinkId id, Inspectors inspectors) {
            super(id, inspectors);
        }

        @Override
        Raise raise(ElectionName election, Mark asked) {
            boolean equal =
                    mark(election).filter(m -> m.token().equals(asked.token())).isPresent();
            return equal ? new Raise.Raised(asked) : super.raise(election, asked);
        }
    }

    private static final class LosesRaises extends SinkModel {
        private int raises;

        LosesRaises(SinkId id, Inspectors inspectors) {
            super(id, inspectors);
        }

        @Override
        Raise raise(ElectionName election, Mark asked) {
            return ++raises % 2 == 0 ? new Raise.Raised(asked) : super.raise(election, asked);
        }
    }
}
