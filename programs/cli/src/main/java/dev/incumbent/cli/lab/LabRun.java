package dev.incumbent.cli.lab;

import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.story.StoryPage;
import dev.incumbent.lab.Lab;
import dev.incumbent.lab.LabCell;
import dev.incumbent.lab.LabGrid;
import dev.incumbent.telling.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs grids of the lab, says how far it is, and prints what came of it. */
final class LabRun {
    private static final long TELL_EVERY_NANOS = Duration.ofSeconds(2).toNanos();

    private final Surroundings around;
    private final LabFlags flags;
    private final Output output;
    private long toldAt;

    LabRun(Surroundings around, LabFlags flags, Output output) {
        this.around = around;
        this.flags = flags;
        this.output = output;
    }

    /** The page has the first of the grids; the table one size of groups alone, if that is wanted. */
    void run(List<LabGrid> grids, boolean oneSize) {
        int threads = flags.threads();
        flags.html().ifPresent(StoryPage::check);
        int all = grids.stream().mapToInt(grid -> grid.places().size()).sum();
        List<LabCell> cells = new ArrayList<>();
        toldAt = around.timeline().nanos();
        for (LabGrid grid : grids) {
            int before = cells.size();
            cells.addAll(Lab.run(grid, threads, done -> tell(before + done, all)));
        }
        if (output.isJson()) {
            around.out()
                    .println(new JsonObject()
                            .put("seeds", grids.get(0).seeds())
                            .put("base", flags.base())
                            .put("cells", cells.stream().map(LabJson::of).toList()));
        } else {
            new LabTable(around, oneSize).print(cells);
        }
        flags.html().ifPresent(file -> LabPage.write(file, grids.get(0), cells));
    }

    private void tell(int done, int all) {
        long now = around.timeline().nanos();
        if (now - toldAt >= TELL_EVERY_NANOS) {
            toldAt = now;
            around.say(done + " of " + all + " cells");
        }
    }
}
