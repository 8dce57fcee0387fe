package dev.incumbent.simulation;

import dev.incumbent.simulation.Fault.Kind;
import dev.incumbent.wire.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A world as data: what its seed drew, and its faults. A seed alone draws anew whenever a kind of fault is added; a plan that was kept as text is that world
 * for ever.
 */
public record Plan(Profile profile, List<Fault> faults) {
    public Plan {
        faults = List.copyOf(faults);
    }

    /** What that seed draws today. */
    public static Plan of(long seed) {
        Profile profile = Profile.of(seed);
        return new Plan(profile, profile.plan());
    }

    /** The same world with other faults: fewer, or shorter ones. */
    Plan with(List<Fault> others) {
        return new Plan(profile, others);
    }

    public long seed() {
        return profile.seed();
    }

    /** As JSON, a line for each fault. */
    public String text() {
        String kinds =
                profile.kinds().stream().map(kind -> Json.quoted(kind.name())).collect(Collectors.joining(", "));
        String all = faults.stream().map(Plan::text).collect(Collectors.joining(",\n    "));
        return """
                {
                  "seed": "%016x", "nodes": %d, "sinks": %d,
                  "leaseNanos": %d, "latencyNanos": %d, "horizonNanos": %d, "faultEveryNanos": %d,
                  "asked": %s, "timely": %s,
                  "kinds": [%s],
                  "faults": [
                    %s
                  ]
                }
                """.formatted(
                        profile.seed(),
                        profile.nodes(),
                        profile.sinks(),
                        profile.leaseNanos(),
                        profile.latencyNanos(),
                        profile.horizonNanos(),
                        profile.faultEveryNanos(),
                        profile.asked(),
                        profile.timely(),
                        kinds,
                        all);
    }

    private static String text(Fault fault) {
        return "{\"at\": %d, \"kind\": %s, \"node\": %d, \"length\": %d, \"amount\": %d}"
                .formatted(
                        fault.atNanos(),
                        Json.quoted(fault.kind().name()),
                        fault.node(),
                        fault.lengthNanos(),
                        fault.amount());
    }

    /** Reads what {@link #text()} wrote; fails where it is something else, or names a kind of fault that there is not. */
    public static Plan read(String text) throws IOException {
        try {
            Json json = Json.read(text);
            List<Fault> faults = new ArrayList<>();
            for (Json fault : json.at("faults").items()) {
                faults.add(fault(fault));
            }
            return new Plan(profile(json), faults);
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException("no plan of a world: " + e.getMessage(), e);
        }
    }

    private static Profile profile(Json json) {
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        json.at("kinds").items().forEach(kind -> kinds.add(Kind.valueOf(kind.text())));
        return new Profile(
                Long.parseUnsignedLong(json.at("seed").text(), 16),
                Math.toIntExact(positive(json, "nodes")),
                (int) json.at("sinks").number(),
                positive(json, "leaseNanos"),
                json.at("latencyNanos").number(),
                positive(json, "horizonNanos"),
                json.at("faultEveryNanos").number(),
                kinds,
                json.at("asked").flag(),
                json.at("timely").flag());
    }

    private static long positive(Json json, String name) {
        long value = json.at(name).number();
        if (value <= 0) {
            throw new IllegalArgumentException(name + " is above zero, not " + value);
        }
        return value;
    }

    private static Fault fault(Json json) {
        return new Fault(
                json.at("at").number(),
                Kind.valueOf(json.at("kind").text()),
                (int) json.at("node").number(),
                json.at("length").number(),
                json.at("amount").number());
    }
}
