package dev.incumbent.cli.demo;

import dev.incumbent.ElectionAdmin;
import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.OperatorName;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Sinks;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.model.ElectionName;
import dev.incumbent.telling.DurationText;
import dev.incumbent.telling.JsonObject;
import dev.incumbent.wire.Redaction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code demo}: the whole story on this machine, with real processes and real signals, and a verdict that the ledger itself gives. */
@Command(
        name = "demo",
        description = {
            "Three processes contend for one election and append to one ledger behind a fence.",
            "The leader is killed, the next one frozen past its lease and woken, the last one hands over.",
            "Exit 0: a late write was really attempted, was refused, and nothing stands out of order."
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  $ incumbent demo",
            "  $ incumbent demo --unfenced     # the same without the fence: the ledger is corrupted"
        })
public final class Demo implements Verb {
    private static final Duration LEASE = Duration.ofSeconds(3);

    @Mixin
    private At at = new At();

    @Option(
            names = "--sink",
            paramLabel = "URL",
            description =
                    "The SQL database for the ledger, such as sqlite:ledger.db. Default: a file of the demo's own.")
    private @Nullable String sink;

    @Option(names = "--unfenced", description = "Without the fence; exit 0 only if the ledger was corrupted.")
    private boolean unfenced;

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) throws IOException, SQLException {
        Path folder = Files.createTempDirectory("incumbent-demo-");
        String coordinatorAt = at.asked().orElse("file:" + folder.resolve("coordinator.db"));
        try (Coordinator coordinator = At.open(around, coordinatorAt, Mode.CREATE, LEASE)) {
            Play play = new Play(
                    new ElectionName("demo/%08x".formatted(new SecureRandom().nextInt())),
                    leaseFor(coordinator),
                    !unfenced,
                    coordinatorAt,
                    Optional.ofNullable(sink).orElse("sqlite:" + folder.resolve("ledger.db")),
                    folder);
            return perform(around, play, coordinator);
        }
    }

    private static Duration leaseFor(Coordinator coordinator) {
        Duration floor = coordinator.capabilities().leaseFloor();
        return floor.compareTo(LEASE) > 0 ? floor : LEASE;
    }

    private int perform(Surroundings around, Play play, Coordinator coordinator) throws SQLException {
        Narration narration = new Narration(output.isJson() ? around.err() : around.out(), around.timeline());
        try (Cast cast = new Cast(play)) {
            Runtime.getRuntime().addShutdownHook(new Thread(cast::close, "demo-ends"));
            if (play.fenced()) {
                Sinks.providerOf(around, play.sink()).install(play.sink());
            }
            try (Ledger ledger = Ledger.open(play.sink(), play.election(), play.fenced())) {
                ledger.install();
                announce(narration, play);
                ElectionAdmin operator =
                        ElectionAdmin.over(coordinator, around.timeline(), play.election(), OperatorName.of(around));
                Stage stage = new Stage(cast, narration, around.timeline(), play.patience());
                Optional<Gaps> gaps =
                        played(around, new Story(cast, stage, narration, around.timeline(), operator), cast);
                return cast.isClosed() ? ExitCodes.NOT_SO : conclude(around, ledger.verdict(stage.refused()), gaps);
            }
        }
    }

    /** Absent where the story broke off; a signal ends it without a word. */
    private static Optional<Gaps> played(Surroundings around, Story story, Cast cast) {
        try {
            return Optional.of(story.play());
        } catch (Refusal | IllegalStateException | UncheckedIOException brokenOff) {
            if (!cast.isClosed()) {
                around.say(String.valueOf(brokenOff.getMessage()));
            }
            return Optional.empty();
        }
    }

    private void announce(Narration narration, Play play) {
        narration.title("Three processes contend for " + play.election() + ", with a lease of "
                + DurationText.format(play.lease()) + ", at " + Redaction.of(play.at()));
        narration.title("and append to one ledger, " + Redaction.of(play.sink())
                + (play.fenced() ? ", behind its fence." : ", which has no fence."));
    }

    private int conclude(Surroundings around, Verdict verdict, Optional<Gaps> gaps) {
        boolean asWanted = gaps.isPresent() && (unfenced ? verdict.outOfOrder() > 0 : verdict.held());
        if (output.isJson()) {
            around.out().println(json(verdict, gaps));
        } else {
            around.out().println("The ledger itself says: " + verdict + ".");
            around.out().println("Verdict: " + verdict.word() + sentence(verdict));
        }
        return asWanted ? ExitCodes.DONE : ExitCodes.NOT_SO;
    }

    private static String sentence(Verdict verdict) {
        return switch (verdict.word()) {
            case "held" -> ". The late leader was refused; nothing of it is in the ledger.";
            case "corrupted" -> ". A leader of the past has written over its successor.";
            default -> ". No write came late, so nothing was shown.";
        };
    }

    private static JsonObject json(Verdict verdict, Optional<Gaps> gaps) {
        JsonObject json = new JsonObject()
                .put("accepted", verdict.accepted())
                .put("refused", verdict.refused())
                .put("outOfOrder", verdict.outOfOrder());
        put(json, "failoverMs", gaps.map(Gaps::failover));
        put(json, "transferGapMs", gaps.map(Gaps::transfer));
        return json.put("terms", verdict.terms()).put("verdict", verdict.word());
    }

    private static void put(JsonObject json, String key, Optional<Duration> length) {
        length.ifPresentOrElse(known -> json.put(key, known.toMillis()), () -> json.putNull(key));
    }
}
