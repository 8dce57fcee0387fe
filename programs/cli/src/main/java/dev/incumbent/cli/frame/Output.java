package dev.incumbent.cli.frame;

import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The flag {@code -o}: for people or for programs. */
public final class Output {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "text|json",
            converter = FormatConverter.class,
            description = "How results are printed: text (the default) or json.")
    private Format format = Format.TEXT;

    /** By default. */
    public Output() {}

    /** As a plain line has it, where {@code output} is a flag; empty where its value is none, which the parser refuses. */
    public static Optional<Output> of(PlainLine line) {
        String asked = line.value("output").orElse("text");
        Output output = new Output();
        output.format = asked.equals("json") ? Format.JSON : Format.TEXT;
        return asked.equals("json") || asked.equals("text") ? Optional.of(output) : Optional.empty();
    }

    public boolean isJson() {
        return format == Format.JSON;
    }

    private enum Format {
        TEXT,
        JSON
    }

    private static final class FormatConverter implements ITypeConverter<Format> {
        @Override
        public Format convert(String value) {
            return switch (value) {
                case "text" -> Format.TEXT;
                case "json" -> Format.JSON;
                default -> throw new TypeConversionException("'" + value + "' is neither text nor json");
            };
        }
    }
}
