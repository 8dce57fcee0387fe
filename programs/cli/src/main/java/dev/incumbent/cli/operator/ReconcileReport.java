package dev.incumbent.cli.operator;

import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.telling.JsonObject;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** The report of one reconciliation, in a folder of its own: a file with what the command wrote for each sink, and one with the result as JSON. */
final class ReconcileReport {
    private static final String RESULT = "report.json";

    private final Path folder;
    private final List<SinkComparison> comparisons = new ArrayList<>();

    private ReconcileReport(Path folder) {
        this.folder = folder;
    }

    /** Makes the folder; one that has a report already is refused with 78. */
    static ReconcileReport in(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw Refusal.configuration("--report " + folder + " cannot be made: " + e.getMessage());
        }
        if (Files.exists(folder.resolve(RESULT))) {
            throw Refusal.configuration("--report " + folder + " has a report already: give another folder");
        }
        return new ReconcileReport(folder);
    }

    /** Where the output of the command for one sink goes. */
    Path output(int number) {
        return folder.resolve(number + ".out");
    }

    void add(SinkComparison one) {
        comparisons.add(one);
    }

    boolean isSound() {
        return comparisons.stream().allMatch(SinkComparison::isSound);
    }

    List<JsonObject> json() {
        return comparisons.stream().map(SinkComparison::json).toList();
    }

    /** Writes the result, and returns its file. */
    Path write(String json) throws IOException {
        Path file = folder.resolve(RESULT);
        try {
            return Files.writeString(file, json + "\n", StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException meanwhile) {
            throw new IOException(file + " was written meanwhile", meanwhile);
        }
    }
}
