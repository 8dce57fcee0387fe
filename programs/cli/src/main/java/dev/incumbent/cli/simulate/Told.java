package dev.incumbent.cli.simulate;

import dev.incumbent.simulation.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The world that a command line names: by its seed, or by the file of a plan that was kept. */
record Told(Seed seed, Plan plan) {
    /** What stands where no world was named: nothing runs it. */
    static final Told NONE = new Told(new Seed(0), Plan.of(0));

    /** Reads one from the command line. */
    static final class Converter implements ITypeConverter<Told> {
        @Override
        public Told convert(String text) {
            return isFile(text) ? kept(text) : drawn(new Seed.Converter().convert(text));
        }

        private static boolean isFile(String text) {
            try {
                return Files.exists(Path.of(text));
            } catch (InvalidPathException none) {
                return false;
            }
        }

        private static Told drawn(Seed seed) {
            return new Told(seed, Plan.of(seed.value()));
        }

        private static Told kept(String file) {
            try {
                Plan plan = Plan.read(Files.readString(Path.of(file)));
                return new Told(new Seed(plan.seed()), plan);
            } catch (IOException e) {
                throw new TypeConversionException("'" + file + "' holds " + e.getMessage());
            }
        }
    }
}
