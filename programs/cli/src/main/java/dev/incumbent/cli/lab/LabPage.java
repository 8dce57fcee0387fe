package dev.incumbent.cli.lab;

import dev.incumbent.cli.story.StoryJson;
import dev.incumbent.cli.story.StoryPage;
import dev.incumbent.lab.Lab;
import dev.incumbent.lab.LabCell;
import dev.incumbent.lab.LabGrid;
import dev.incumbent.lab.LabProtocol;
import dev.incumbent.lab.LabStory;
import dev.incumbent.lab.ScenarioPlan;
import dev.incumbent.wire.JsonWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The lab's page: the table of all cells, and for each protocol and scenario one run to play. */
final class LabPage {
    private LabPage() {}

    static void write(Path file, LabGrid grid, List<LabCell> cells) {
        JsonWriter json = new JsonWriter().openObject();
        json.field("title", "Incumbent lab: leader election under the same faults")
                .field(
                        "about",
                        "Protocols of leader election in one simulated world, " + grid.seeds()
                                + " runs of each cell from base " + grid.base()
                                + ". docs/lab.md says what each figure means.");
        json.field(
                "shownSize",
                grid.sizes().contains(LabTable.SHOWN_SIZE)
                        ? LabTable.SHOWN_SIZE
                        : grid.sizes().get(0));
        json.name("protocols").openObject();
        for (LabProtocol protocol : LabProtocol.values()) {
            json.field(protocol.label(), protocol.what());
        }
        json.closeObject().name("scenarios").openObject();
        for (ScenarioPlan scenario : grid.scenarios()) {
            json.field(scenario.label(), scenario.what());
        }
        json.closeObject().name("cells").openList();
        for (LabCell cell : cells) {
            if (cell.place().lease().equals(grid.leases().get(0))) {
                json.raw(LabJson.of(cell).toString());
            }
        }
        json.closeList().name("stories").openList();
        stories(grid).forEach(json::raw);
        StoryPage.write(file, json.closeList().closeObject().done());
    }

    private static List<String> stories(LabGrid grid) {
        int size = grid.sizes().stream().mapToInt(Integer::intValue).min().orElseThrow();
        Set<LabGrid.Place> places = new LinkedHashSet<>();
        for (LabProtocol protocol : grid.protocols()) {
            for (ScenarioPlan scenario : grid.scenarios()) {
                places.add(new LabGrid.Place(
                        protocol, scenario, size, grid.leases().get(0)));
            }
        }
        List<String> stories = new ArrayList<>();
        for (LabGrid.Place place : places) {
            LabStory story = Lab.story(grid, place);
            String protocol = place.protocol().label();
            String scenario = place.scenario().label();
            stories.add(StoryJson.of(
                    story,
                    protocol + "/" + scenario,
                    protocol + " of " + size + " members, " + scenario,
                    protocol + ": " + place.protocol().what() + ". " + scenario + ": "
                            + place.scenario().what() + ".",
                    story.places()));
        }
        return stories;
    }
}
