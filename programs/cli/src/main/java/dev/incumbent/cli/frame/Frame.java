package dev.incumbent.cli.frame;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.telling.DurationText;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Runs one command line: finds the verb, reads its flags, and turns every way to end into an exit code and at most one sentence. */
public final class Frame {
    private final Surroundings around;
    private final VerbTable verbs;
    private final Object head;
    private @Nullable CommandLine root;

    /** A frame around {@code root}, an annotated object, for the verbs of that table. */
    public Frame(Object root, VerbTable verbs, Surroundings around) {
        this.around = around;
        this.verbs = verbs;
        this.head = root;
    }

    /** Runs it; never throws. The streams are flushed. */
    public int run(String... args) {
        int code = guarded(args);
        around.out().flush();
        around.err().flush();
        return code;
    }

    /** The whole tree of verbs, as completion scripts need it. */
    public CommandLine everything() {
        verbs.names().forEach(this::add);
        return configured();
    }

    private int guarded(String... args) {
        try {
            Optional<Verb> plain = verbs.plain(around, args);
            if (plain.isPresent()) {
                return plain.get().run(around);
            }
            Words words = Words.verbFirst(verbs.names(), args);
            addWhatIsAsked(words.verb());
            return perform(configured(), words);
        } catch (ParameterException refused) {
            around.say(sentence(refused, args) + "; see '"
                    + refused.getCommandLine().getCommandSpec().qualifiedName() + " --help'");
            return ExitCodes.USAGE;
        } catch (Refusal refused) {
            around.say(String.valueOf(refused.getMessage()));
            return refused.exitCode();
        } catch (CoordinatorUnusableException unusable) {
            around.say(String.valueOf(unusable.getMessage()));
            return ExitCodes.CONFIGURATION;
        } catch (CoordinatorException unreachable) {
            return unanswered(unreachable, ExitCodes.UNREACHABLE);
        } catch (SinkException unreachable) {
            return unanswered(unreachable, ExitCodes.SINK);
        } catch (OutOfMemoryError full) {
            return full(full);
        } catch (Exception | StackOverflowError | AssertionError bug) {
            around.say("internal error: " + bug);
            bug.printStackTrace(around.err());
            return ExitCodes.INTERNAL;
        }
    }

    /** A call whose thread had no memory left is no fault of the server. */
    private int unanswered(RuntimeException failure, int code) {
        for (Throwable unexpected : failure.getSuppressed()) {
            if (unexpected instanceof OutOfMemoryError full) {
                return full(full);
            }
        }
        around.say(String.valueOf(failure.getMessage()));
        return code;
    }

    private int full(OutOfMemoryError full) {
        around.say("out of memory (" + full.getMessage() + "): ask for fewer elections at once, by a prefix");
        return ExitCodes.INTERNAL;
    }

    private int perform(CommandLine parser, Words words) throws Exception {
        CommandLine asked = parser.getSubcommands().get(words.verb());
        if (asked == null || !(asked.getCommand() instanceof CommandVerb verb)) {
            return perform(parser.parseArgs(words.ours().toArray(new String[0])));
        }
        Words split = words.split(asked.getCommandSpec());
        split.command().ifPresent(verb::command);
        return perform(parser.parseArgs(split.ours().toArray(new String[0])));
    }

    private int perform(ParseResult asked) throws Exception {
        while (asked.hasSubcommand()) {
            asked = asked.subcommand();
        }
        CommandLine line = asked.commandSpec().commandLine();
        if (!line.getSubcommands().isEmpty() && !asked.unmatched().isEmpty()) {
            line.parseArgs(asked.unmatched()
                    .toArray(new String[0])); // a misspelt verb, which a wish for help lets pass, is refused here
        }
        if (asked.isUsageHelpRequested()) {
            line.usage(new PrintWriter(around.out(), true, StandardCharsets.UTF_8), colours());
            return ExitCodes.DONE;
        }
        if (asked.isVersionHelpRequested()) {
            Arrays.stream(root().getCommandSpec().version()).forEach(around.out()::println);
            return ExitCodes.DONE;
        }
        if (line.getCommand() instanceof Verb verb) {
            return verb.run(around);
        }
        line.usage(new PrintWriter(around.err(), true, StandardCharsets.UTF_8), colours());
        return ExitCodes.USAGE;
    }

    private CommandLine.Help.Ansi colours() {
        return around.variable("NO_COLOR").isPresent() ? CommandLine.Help.Ansi.OFF : CommandLine.Help.Ansi.AUTO;
    }

    /** The verb alone where one is named first, else all of them, for the help. */
    private void addWhatIsAsked(String first) {
        List<String> asked = verbs.names().stream()
                .filter(name -> name.equals(first) || name.startsWith(first + " "))
                .toList();
        (asked.isEmpty() ? verbs.names() : asked).forEach(this::add);
    }

    private void add(String name) {
        int blank = name.lastIndexOf(' ');
        CommandLine group = blank < 0 ? root() : group(name.substring(0, blank));
        CommandLine line = withHelp(verbs.make(name));
        if (line.getCommand() instanceof Verb verb) {
            verb.parseWith(line);
        }
        group.addSubcommand(name.substring(blank + 1), line);
    }

    private CommandLine group(String path) {
        CommandLine group = root();
        for (String word : path.split(" ", -1)) {
            group = Objects.requireNonNull(
                    group.getSubcommands().get(word), () -> "a group stands before its verbs: " + path);
        }
        return group;
    }

    /** Made when it is first needed, for a plain line needs none. */
    private CommandLine root() {
        CommandLine made = root;
        if (made == null) {
            made = withHelp(head);
            root = made;
        }
        return made;
    }

    private static CommandLine withHelp(Object annotated) {
        CommandLine line = new CommandLine(annotated);
        line.addMixin("help", new Help());
        return line;
    }

    private CommandLine configured() {
        CommandLine root = root();
        root.setDefaultValueProvider(new FlagVariables(around));
        root.registerConverter(Duration.class, new ValueConverter<>(DurationText::parse));
        root.registerConverter(ElectionName.class, new ValueConverter<>(ElectionName::new));
        root.registerConverter(FencingToken.class, new ValueConverter<>(Frame::token));
        root.setAbbreviatedOptionsAllowed(false);
        root.setExpandAtFiles(false); // what follows -- is another's command line
        return root;
    }

    private static FencingToken token(String text) {
        try {
            return new FencingToken(Long.parseLong(text));
        } catch (NumberFormatException none) {
            throw new IllegalArgumentException("'" + text + "' is no whole number of 1 to " + Long.MAX_VALUE, none);
        }
    }

    private String sentence(ParameterException refused, String... args) {
        if (refused instanceof UnmatchedArgumentException unmatched && refused.getCommandLine() == root()) {
            String word = unmatched.getUnmatched().get(0);
            return word.startsWith("-") ? "unknown option '" + word + "'" : "no verb '" + word + "'" + near(unmatched);
        }
        String message = String.valueOf(refused.getMessage());
        String plain = message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
        return plain
                + variableBehind(refused, args)
                        .map(name -> " (from " + name + ")")
                        .orElse("");
    }

    private static String near(UnmatchedArgumentException unmatched) {
        List<String> suggestions = unmatched.getSuggestions();
        return suggestions.isEmpty() ? "" : " (near: " + String.join(", ", suggestions) + ")";
    }

    /** The variable that the refused value came from, where no argument names the flag. */
    private Optional<String> variableBehind(ParameterException refused, String... args) {
        ArgSpec flag = refused.getArgSpec();
        if (!(flag instanceof CommandLine.Model.OptionSpec option) || refused instanceof MissingParameterException) {
            return Optional.empty();
        }
        boolean given = Arrays.stream(args)
                .anyMatch(arg -> Arrays.stream(option.names()).anyMatch(arg::startsWith));
        return given
                ? Optional.empty()
                : FlagVariables.variableOf(flag)
                        .filter(name -> around.variable(name).isPresent());
    }
}
