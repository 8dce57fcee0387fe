package dev.incumbent.cli.frame;

import dev.incumbent.wire.Redaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The words of one command line, the verb first.
 *
 * @param ours what the parser reads
 * @param command what follows {@code --}, where the verb runs a command and there is a {@code --}
 */
record Words(List<String> ours, Optional<List<String>> command) {
    private static final String AT = "--at";
    private static final String END = "--";
    private static final String HELP_VERB = "help";
    private static final Set<String> HELP = Set.of("-h", "--help", "--version");
    private static final String PLAIN = "[A-Za-z0-9_@%+=:,./-]+";

    /** Puts a leading {@code --at URI} behind the verb that it precedes, and takes {@code help VERB} for {@code VERB --help}. */
    static Words verbFirst(List<String> verbs, String... args) {
        List<String> given = args.length > 0 && args[0].equals(HELP_VERB) ? helpLast(args) : List.of(args);
        int flags = 0;
        while (flags < given.size() && isAt(given.get(flags))) {
            flags += given.get(flags).equals(AT) ? 2 : 1;
        }
        if (flags > 0 && flags >= given.size()) {
            throw Refusal.usage("--at stands before or after a verb, and there is none; see 'incumbent --help'");
        }
        List<String> rest = given.subList(flags, given.size());
        int verb = length(verbs, rest);
        List<String> ordered = new ArrayList<>(rest.subList(0, verb));
        ordered.addAll(given.subList(0, flags));
        ordered.addAll(rest.subList(verb, rest.size()));
        return new Words(List.copyOf(ordered), Optional.empty());
    }

    /** How many words name the verb: as many as any verb's name has of these. */
    private static int length(List<String> verbs, List<String> words) {
        int length = Math.min(1, words.size());
        while (length > 0 && length < words.size() && verbs.contains(String.join(" ", words.subList(0, length + 1)))) {
            length++;
        }
        return length;
    }

    private static List<String> helpLast(String... args) {
        List<String> words = new ArrayList<>(List.of(args));
        words.add("--" + words.remove(0));
        return words;
    }

    private static boolean isAt(String word) {
        return word.equals(AT) || word.startsWith(AT + "=");
    }

    String verb() {
        return ours.isEmpty() ? "" : ours.get(0);
    }

    /** The same words, split for a verb that runs a command; one without a command is refused, with the line as it should be. */
    Words split(CommandSpec verb) {
        int end = ours.indexOf(END);
        if (end >= 0 && end < ours.size() - 1) {
            return new Words(ours.subList(0, end), Optional.of(ours.subList(end + 1, ours.size())));
        }
        if (end >= 0) {
            throw Refusal.usage("no command follows --; see '" + verb.qualifiedName() + " --help'");
        }
        int begin = secondOperand(verb);
        if (ours.subList(0, begin).stream().anyMatch(HELP::contains)) {
            return this;
        }
        throw Refusal.usage(corrected(verb, begin));
    }

    private String corrected(CommandSpec verb, int begin) {
        if (begin == ours.size()) {
            return "no command is given: "
                    + String.join(" ", verb.usageMessage().customSynopsis());
        }
        List<String> line = new ArrayList<>(ours);
        line.add(begin, END);
        return "-- is missing before the command: incumbent "
                + line.stream().map(Words::shown).collect(Collectors.joining(" "));
    }

    /** Where the command seems to begin: at the second word that is neither a flag nor a flag's value. */
    private int secondOperand(CommandSpec verb) {
        int operands = 0;
        int i = 1;
        for (; i < ours.size(); i++) {
            String word = ours.get(i);
            if (word.startsWith("-") && word.length() > 1) {
                i += takesTheNext(verb, word) ? 1 : 0;
            } else if (++operands == 2) {
                break;
            }
        }
        return Math.min(i, ours.size());
    }

    /** Is the next word this flag's value, or that of the last one of a cluster such as {@code -nE}? */
    private static boolean takesTheNext(CommandSpec verb, String flag) {
        boolean isCluster = flag.length() > 2 && flag.charAt(1) != '-';
        OptionSpec option = verb.findOption(isCluster ? "-" + flag.charAt(flag.length() - 1) : flag);
        return option != null && option.arity().max() > 0;
    }

    /** As a shell reads it, and without credentials. */
    private static String shown(String word) {
        String plain = Redaction.of(word);
        return plain.matches(PLAIN) ? plain : "'" + plain.replace("'", "'\\''") + "'";
    }
}
