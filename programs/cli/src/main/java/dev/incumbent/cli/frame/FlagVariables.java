package dev.incumbent.cli.frame;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Each flag's value where the command line has none: the variable {@code INCUMBENT_<FLAG>}.
 *
 * <p>Except the flags whose variable the environment of {@code run}'s command uses for something else: a token in there is the command's
 * own, and never a flag's.
 */
final class FlagVariables implements IDefaultValueProvider {
    private static final Set<String> NEVER =
            Set.of("help", "version", "token", "election", "candidate", "previous", "reason", "run-id");

    private final Surroundings around;

    FlagVariables(Surroundings around) {
        this.around = around;
    }

    @Override
    @SuppressWarnings("NullAway") // picocli's interface says "no default" by null and is not annotated
    public String defaultValue(ArgSpec flag) {
        Optional<String> name = variableOf(flag);
        return name.isPresent() ? around.variable(name.get()).orElse(null) : null;
    }

    /** The variable that stands in for a flag, if one does. */
    static Optional<String> variableOf(ArgSpec flag) {
        if (!(flag instanceof OptionSpec option)) {
            return Optional.empty();
        }
        String name = option.longestName().replaceFirst("^-+", "");
        if (name.length() < 2 || NEVER.contains(name)) {
            return Optional.empty();
        }
        return Optional.of(nameOf(name));
    }

    /** The variable of a flag that has one, by the flag's longest name without dashes. */
    static String nameOf(String flag) {
        return "INCUMBENT_" + flag.toUpperCase(Locale.ROOT).replace('-', '_');
    }
}
