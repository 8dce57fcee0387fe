package dev.incumbent.cli;

import dev.incumbent.cli.frame.VerbTable;
import dev.incumbent.cli.operator.FenceForget;
import dev.incumbent.cli.operator.Freeze;
import dev.incumbent.cli.operator.Resign;
import dev.incumbent.cli.operator.Thaw;
import dev.incumbent.cli.operator.Transfer;
import dev.incumbent.cli.reading.Status;
import dev.incumbent.cli.sinks.Fence;
import java.util.List;

/** The verbs of this program. A new one is one name and one case. */
final class Verbs implements VerbTable {
    @Override
    public List<String> names() {
        return List.of("status", "transfer", "resign", "freeze", "thaw", "fence", "fence forget");
    }

    @Override
    public Object make(String name) {
        return switch (name) {
            case "status" -> new Status();
            case "transfer" -> new Transfer();
            case "resign" -> new Resign();
            case "freeze" -> new Freeze();
            case "thaw" -> new Thaw();
            case "fence" -> new Fence();
            case "fence forget" -> new FenceForget();
            default -> throw new IllegalArgumentException("no verb '" + name + "'");
        };
    }
}
