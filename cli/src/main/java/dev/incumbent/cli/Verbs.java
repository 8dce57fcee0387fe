package dev.incumbent.cli;

import dev.incumbent.cli.frame.VerbTable;
import dev.incumbent.cli.reading.Status;
import java.util.List;

/** The verbs of this program. A new one is one name and one case. */
final class Verbs implements VerbTable {
    @Override
    public List<String> names() {
        return List.of("status");
    }

    @Override
    public Object make(String name) {
        return switch (name) {
            case "status" -> new Status();
            default -> throw new IllegalArgumentException("no verb '" + name + "'");
        };
    }
}
