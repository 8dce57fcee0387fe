package dev.incumbent.cli.frame;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.wire.Redaction;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeSet;
import picocli.CommandLine.Option;

/** The flag {@code --at}: which coordinator. */
public final class At {
    private static final String FLAG = "--at";

    @Option(
            names = FLAG,
            paramLabel = "URI",
            description = {
                "The coordinator, such as file:/var/lib/incumbent/coordinator.db.",
                "Default: a file of this user on this machine."
            })
    private String asked = "";

    /** By default. */
    public At() {}

    /** As a plain line has it, where {@code at} is a flag. */
    public At(PlainLine line) {
        line.value("at").ifPresent(uri -> asked = uri);
    }

    /** The URI that was asked for, or the embedded file of this user. May bear credentials. */
    public String uri(Surroundings around) {
        return asked.isEmpty() ? "file:" + stateFolder(around).resolve("coordinator.db") : asked;
    }

    /** The URI that was asked for, by flag or variable. */
    public Optional<String> asked() {
        return Optional.of(asked).filter(uri -> !uri.isEmpty());
    }

    /** {@link #uri} as it may be printed. */
    public String label(Surroundings around) {
        return Redaction.of(uri(around));
    }

    /** Does it name a group of peers, who keep no record? */
    public boolean isPeers(Surroundings around) {
        return uri(around).startsWith("peers+");
    }

    /** Refused where peers are asked for something that needs a record. */
    public void requireRecord(Surroundings around, String what) {
        if (isPeers(around)) {
            throw Refusal.configuration("--at " + label(around) + ": " + what
                    + " needs a record, and peers keep none: use a coordinator, such as quorum://");
        }
    }

    /** Opens what is there for a verb that holds no lease: one that is {@link #missing} is refused with 69. */
    public Coordinator open(Surroundings around, CoordinatorProvider.Mode mode) {
        missing(around).ifPresent(why -> {
            throw Refusal.unreachable(
                    "--at " + label(around) + ": " + why + "; the first 'run' makes it, or 'install'");
        });
        return open(around, mode, Answers.CALL_BOUND);
    }

    /** Why what was asked for is not there; the user's own file is never missing, for before its first use it is empty. */
    public Optional<String> missing(Surroundings around) {
        return asked().flatMap(uri -> provider(around, FLAG, uri).missing(uri));
    }

    /** Opens it; every call ends within {@code requestTimeout}. */
    public Coordinator open(Surroundings around, CoordinatorProvider.Mode mode, Duration requestTimeout) {
        return open(around, uri(around), mode, requestTimeout);
    }

    /** Opens the coordinator at a URI; every call ends within {@code requestTimeout}. */
    public static Coordinator open(
            Surroundings around, String uri, CoordinatorProvider.Mode mode, Duration requestTimeout) {
        return provider(around, FLAG, uri).open(uri, around.timeline(), requestTimeout, mode);
    }

    /** The same, creating what it needs, for a URI that another flag gave. */
    public static Coordinator open(Surroundings around, String flag, String uri, Duration requestTimeout) {
        return provider(around, flag, uri)
                .open(uri, around.timeline(), requestTimeout, CoordinatorProvider.Mode.CREATE);
    }

    /** Makes what an opening does not make by itself, within that time. */
    public void install(Surroundings around, Duration bound) {
        String uri = uri(around);
        provider(around, FLAG, uri).install(uri, bound);
    }

    private static CoordinatorProvider provider(Surroundings around, String flag, String uri) {
        TreeSet<String> known = new TreeSet<>();
        for (CoordinatorProvider provider : around.coordinators()) {
            known.addAll(provider.schemes());
            if (provider.opens(uri)) {
                return provider;
            }
        }
        throw Refusal.configuration("no coordinator opens " + flag + " '" + Redaction.of(uri) + "'; known schemes are "
                + String.join(", ", known));
    }

    /** The folder where this user's state lies: {@code ${XDG_STATE_HOME:-$HOME/.local/state}/incumbent}. */
    public static Path stateFolder(Surroundings around) {
        return around.variable("XDG_STATE_HOME")
                .map(Path::of)
                .or(() -> around.variable("HOME").map(home -> Path.of(home, ".local", "state")))
                .orElseThrow(
                        () -> Refusal.configuration(
                                "neither --at nor INCUMBENT_AT, XDG_STATE_HOME or HOME is set, so there is no place for a coordinator"))
                .resolve("incumbent")
                .toAbsolutePath();
    }
}
