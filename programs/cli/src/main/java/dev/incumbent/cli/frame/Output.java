package dev.incumbent.cli.frame;

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
