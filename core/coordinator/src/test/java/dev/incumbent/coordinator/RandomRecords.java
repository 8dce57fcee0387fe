package dev.incumbent.coordinator;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Cordon;
import dev.incumbent.model.Cordons;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.Extras;
import dev.incumbent.model.Feature;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.Holder;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.Holders;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.NodeBoot;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.PlannedTransfer;
import dev.incumbent.model.RankMove;
import dev.incumbent.model.Request;
import dev.incumbent.model.SinkId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Records drawn from a seed, with all the characters that a text form may stumble over. */
final class RandomRecords {
    private static final String[] AWKWARD = {
        "\"", "\\", "/", "\b", "\n", "\u0000", "\u001f", "\u007f", "é", "\u2028", "日本", "😀", "\ud83d", "\ude00", " ",
        "{", "]"
    };
    private static final String[] RAW = {"true", "null", "-0.5e+7", "\"a\\u00e9\"", "[ ]", "{\"v\": [1,{}]}"};

    private static final List<EndReason> REASONS = List.of(EndReason.values());

    private final SplittableRandom random;

    RandomRecords(SplittableRandom random) {
        this.random = random;
    }

    LeaderRecord record() {
        boolean led = random.nextBoolean();
        Set<Feature> requires = requires();
        return new LeaderRecord(
                random.nextLong(Long.MAX_VALUE),
                led ? Optional.of(candidate()) : Optional.empty(),
                led ? Optional.of(new LeaseId(word())) : Optional.empty(),
                duration(),
                instant(),
                maybe(this::request),
                maybe(() -> new PlannedTransfer(word(), word(), instant(), instant(), unknown())),
                maybe(() -> new RankMove(word(), word(), random.nextBoolean(), unknown())),
                maybe(() -> new Freeze(word(), text(), instant(), random.nextLong(1, Long.MAX_VALUE), unknown())),
                cordons(),
                sinks(),
                sinkIds(),
                requires,
                requires.contains(Feature.STONITH) ? holders() : Holders.NONE,
                word(),
                Stream.generate(this::pastTerm).limit(random.nextInt(17)).toList(),
                unknown());
    }

    Enlisted enlisted() {
        return new Enlisted(candidate(), new LeaseId(word()), instant(), sinkIds(), features());
    }

    private Request request() {
        long term = random.nextLong(Long.MAX_VALUE);
        return random.nextBoolean()
                ? new Request.Resign(word(), term, extras())
                : new Request.TransferTo(word(), term, new CandidateId(word()), extras());
    }

    private PastTerm pastTerm() {
        EndReason reason = REASONS.get(random.nextInt(REASONS.size()));
        return new PastTerm(
                random.nextLong(),
                candidate(),
                instant(),
                instant(),
                reason,
                duration(),
                maybe(this::proof),
                unknown());
    }

    private Candidate candidate() {
        return new Candidate(new CandidateId(word()), word(), random.nextBoolean() ? "" : word(), extras());
    }

    private Extras extras() {
        Map<String, String> attributes = new TreeMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            attributes.put("a" + i + ".-_z", word() + " " + word());
        }
        return new Extras(attributes, unknown());
    }

    private Set<Feature> features() {
        Set<Feature> features = new TreeSet<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            features.add(new Feature("f-" + (char) random.nextInt('a', 'z') + i));
        }
        return features;
    }

    private Set<Feature> requires() {
        Set<Feature> all = features();
        if (random.nextBoolean()) {
            all.add(Feature.STONITH);
        }
        return all;
    }

    private Holders holders() {
        return Holders.of(IntStream.range(0, random.nextInt(3))
                .mapToObj(i -> new Holder(
                        1 + i * 7L, new CandidateId(word()), new NodeBoot(word(), word(), word()), unknown()))
                .toList());
    }

    private HolderProof proof() {
        HolderProof.Kind[] kinds = HolderProof.Kind.values();
        return new HolderProof(
                kinds[random.nextInt(kinds.length)], word(), word() + " " + word(), instant(), unknown());
    }

    private Cordons cordons() {
        return Cordons.of(IntStream.range(0, random.nextInt(3))
                .mapToObj(i -> new Cordon(i + word(), word(), word() + " " + word(), instant(), unknown()))
                .toList());
    }

    private Map<SinkId, String> sinks() {
        Map<SinkId, String> sinks = new TreeMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            sinks.put(new SinkId(word()), text());
        }
        return sinks;
    }

    private Set<SinkId> sinkIds() {
        Set<SinkId> ids = new TreeSet<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            ids.add(new SinkId(word()));
        }
        return ids;
    }

    private Map<String, String> unknown() {
        Map<String, String> fields = new TreeMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            fields.put("later" + text(), RAW[random.nextInt(RAW.length)]);
        }
        return fields;
    }

    private Duration duration() {
        return Duration.ofSeconds(random.nextLong(-1_000_000, 1_000_000), random.nextInt(1_000_000_000));
    }

    private Instant instant() {
        return Instant.ofEpochSecond(random.nextLong(-1L << 40, 1L << 40), random.nextInt(1_000_000_000));
    }

    private String word() {
        String word = text().chars()
                .filter(c -> c > ' ' && c != 0x7f)
                .collect(StringBuilder::new, (b, c) -> b.append((char) c), StringBuilder::append)
                .toString();
        return "w" + word;
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            text.append(
                    random.nextBoolean()
                            ? List.of(AWKWARD).get(random.nextInt(AWKWARD.length))
                            : String.valueOf((char) random.nextInt('a', 'z')));
        }
        return text.toString();
    }

    private <T> Optional<T> maybe(Supplier<T> part) {
        return random.nextBoolean() ? Optional.of(part.get()) : Optional.empty();
    }
}
