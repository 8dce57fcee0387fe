package dev.incumbent.cli.server;

import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.quorum.Role;
import dev.incumbent.quorum.Tokens;
import dev.incumbent.quorum.Tokens.Held;
import dev.incumbent.wire.TokenFile;
import dev.incumbent.wire.UriException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;

/** The flags that name the files of a node's tokens, one for each role and one for all of them. Each is read again when it changes. */
final class TokenFiles {
    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = {
                "Holds the token of all four roles below. Without any token everybody is admitted.",
                "A role's own file adds a token that has this role alone.",
                "Each file may hold two tokens, one a line, and is read again when it changes."
            })
    private Optional<Path> all = Optional.empty();

    @Option(
            names = "--node-token-file",
            paramLabel = "FILE",
            description = "Holds the token that the nodes show each other.")
    private Optional<Path> node = Optional.empty();

    @Option(
            names = "--operator-token-file",
            paramLabel = "FILE",
            description = "Holds the token that moves the nodes' leadership, and reads.")
    private Optional<Path> operator = Optional.empty();

    @Option(
            names = "--candidate-token-file",
            paramLabel = "FILE",
            description = "Holds the token that stands in elections, changes them, and reads.")
    private Optional<Path> candidate = Optional.empty();

    @Option(
            names = "--reader-token-file",
            paramLabel = "FILE",
            description = "Holds the token that reads, and changes nothing.")
    private Optional<Path> reader = Optional.empty();

    /** What they hold. The node shows the others the token of the role's own file where there is one. */
    Tokens tokens() {
        List<Held> held = new ArrayList<>();
        add(held, "--node-token-file", node, EnumSet.of(Role.NODE));
        add(held, "--operator-token-file", operator, EnumSet.of(Role.OPERATOR));
        add(held, "--candidate-token-file", candidate, EnumSet.of(Role.CANDIDATE));
        add(held, "--reader-token-file", reader, EnumSet.of(Role.READER));
        add(held, "--token-file", all, EnumSet.allOf(Role.class));
        if (!held.isEmpty() && node.isEmpty() && all.isEmpty()) {
            throw Refusal.usage("with tokens the nodes need one for each other: add --node-token-file, or --token-file"
                    + " for all roles");
        }
        return Tokens.of(held);
    }

    private static void add(List<Held> held, String flag, Optional<Path> file, Set<Role> roles) {
        file.ifPresent(path -> held.add(new Held(roles, read(flag, path)::now)));
    }

    private static TokenFile read(String flag, Path file) {
        String where = "the file of " + flag + " " + file;
        try {
            return TokenFile.of(where, file);
        } catch (UriException e) {
            throw Refusal.configuration(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw Refusal.configuration(where + " cannot be read: " + e.getMessage());
        }
    }
}
