package dev.incumbent.cli.agent;

import dev.incumbent.agent.elections.Bounds;
import dev.incumbent.agent.elections.Prefix;
import dev.incumbent.agent.elections.PrefixMap;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.wire.Redaction;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** The flag {@code --prefix}: which elections have a coordinator of their own. */
final class PrefixFlags {
    @Option(
            names = "--prefix",
            paramLabel = "PREFIX=URI",
            description = {
                "Elections with a coordinator of their own; may come more than once.",
                "PREFIX is an election, or NAME/ for all beneath it; the longest one counts. --at has all others."
            })
    private List<String> given = List.of();

    /** The URIs of all coordinators; that one has all other elections. Refused with 64 where a value is unclear. */
    PrefixMap<String> uris(String others) {
        Map<Prefix, String> prefixes = new TreeMap<>();
        for (String text : given) {
            int equals = text.indexOf('=');
            String uri = text.substring(equals + 1);
            Prefix prefix = Prefix.ifLegal(text.substring(0, Math.max(0, equals)))
                    .filter(legal -> !uri.isBlank())
                    .orElseThrow(() -> unclear(text));
            if (prefixes.put(prefix, uri) != null) {
                throw Refusal.usage("--prefix " + prefix + " is there twice: a prefix has one coordinator");
            }
        }
        PrefixMap<String> all = new PrefixMap<>(others, prefixes);
        if (all.all().size() > Bounds.COORDINATORS) {
            throw Refusal.usage("--at and --prefix name " + all.all().size() + " coordinators; an agent has at most "
                    + Bounds.COORDINATORS);
        }
        return all;
    }

    private static Refusal unclear(String text) {
        return Refusal.usage("--prefix is PREFIX=URI, where PREFIX is the name of an election, or NAME/ for all beneath"
                + " it; this one is '" + Redaction.of(text) + "'");
    }
}
