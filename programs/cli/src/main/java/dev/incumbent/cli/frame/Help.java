package dev.incumbent.cli.frame;

import picocli.CommandLine.Option;

/** The flags {@code --help} and {@code --version}, which the frame gives to every verb and answers itself. */
final class Help {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Prints this help, and does nothing.")
    boolean help;

    @Option(names = "--version", versionHelp = true, description = "Prints the version, and does nothing.")
    boolean version;
}
