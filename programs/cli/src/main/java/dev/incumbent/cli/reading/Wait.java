package dev.incumbent.cli.reading;

import dev.incumbent.LeaderChange;
import dev.incumbent.cli.frame.Answers;
import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.telling.ChangeJson;
import dev.incumbent.telling.DurationText;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code wait ELECTION --for …}: blocks until it is so. */
@Command(
        name = "wait",
        description = "Blocks until an election is led, vacant, led by someone, or has come to a token.",
        footerHeading = "%nExample:%n",
        footer = {"  $ incumbent wait billing/closer --for leader=ledger-2 --timeout 30s && echo handed over"})
public final class Wait implements Verb {
    @Parameters(paramLabel = "ELECTION", description = "The election.")
    private ElectionName election;

    @Option(
            names = "--for",
            required = true,
            paramLabel = "WHAT",
            converter = AwaitedConverter.class,
            description = "leader, vacant, token=N (N or later) or leader=NAME.")
    private Awaited awaited;

    @Option(names = "--timeout", paramLabel = "DURATION", description = "Gives up with 1. Default: never.")
    private @Nullable Duration timeout;

    @Mixin
    private At at = new At();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        try (Coordinator coordinator = at.open(around, Mode.READ_ONLY, Answers.CALL_BOUND)) {
            if (new Enquiry(coordinator).find(election).isEmpty()) {
                String why = at.missing(around).orElse(Enquiry.unknown(election.value()));
                if (awaited instanceof Awaited.Vacancy) {
                    throw Refusal.notSo(why);
                }
                around.say(why + "; waits for it");
            }
            return follow(around, coordinator);
        }
    }

    private int follow(Surroundings around, Coordinator coordinator) {
        try (Following following = new Following(around, coordinator, election)) {
            if (timeout != null) {
                following.endAt(around.timeline().nanos() + timeout.toNanos());
            }
            Optional<ObservedRecord> observed = following.next();
            while (observed.isPresent() && !awaited.isMetBy(observed.get())) {
                observed = following.next();
            }
            if (observed.isEmpty()) {
                around.say("not so within " + DurationText.format(timeout == null ? Duration.ZERO : timeout));
                return ExitCodes.NOT_SO;
            }
            LeaderChange now = LeaderChange.to(election, observed.get());
            around.out().println(output.isJson() ? ChangeJson.of(now) : ChangeLine.text(now));
            return ExitCodes.DONE;
        }
    }

    private static final class AwaitedConverter implements ITypeConverter<Awaited> {
        @Override
        public Awaited convert(String text) {
            try {
                return Awaited.parse(text);
            } catch (IllegalArgumentException refused) {
                throw new TypeConversionException(refused.getMessage());
            }
        }
    }
}
