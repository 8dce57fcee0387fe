package dev.incumbent.cli.story;

import dev.incumbent.lab.LabStory;
import dev.incumbent.wire.JsonWriter;
import java.util.ArrayList;
import java.util.List;

/** A story in the form that the page reads: times in tenths of a millisecond, and lists of numbers that are flat, so that the page is small. */
public final class StoryJson {
    private static final long NANOS_PER_TENTH = 100_000;

    private final JsonWriter json = new JsonWriter();

    private StoryJson() {}

    /**
     * One story.
     *
     * @param id by which a link names it
     * @param places the names of the members, then of others that send or take messages
     */
    public static String of(LabStory story, String id, String title, String plot, List<String> places) {
        return new StoryJson().text(story, id, title, plot, places);
    }

    private String text(LabStory story, String id, String title, String plot, List<String> places) {
        json.openObject().field("id", id).field("title", title).field("plot", plot);
        json.field("members", story.members())
                .field("from", tenths(story.from()))
                .field("to", tenths(story.to()))
                .field("begins", tenths(story.begins()));
        json.name("places").openList();
        places.forEach(json::value);
        json.closeList();
        messages(story.messages(), story.from());
        spans("beliefs", story.beliefs());
        spans("downs", story.downs());
        spans("pauses", story.pauses());
        json.name("faults").openList();
        for (LabStory.Fault fault : story.faults()) {
            json.openObject().field("what", fault.what());
            json.name("places").openList();
            fault.struck().forEach(place -> json.value((long) place));
            json.closeList();
            json.field("from", tenths(fault.from())).field("to", tenths(fault.to()));
            json.closeObject();
        }
        json.closeList();
        json.name("marks").openList();
        for (LabStory.Mark mark : story.marks()) {
            json.openList().value(tenths(mark.at())).value(mark.what()).closeList();
        }
        json.closeList();
        return json.closeObject().done();
    }

    private void messages(List<LabStory.Message> messages, long from) {
        List<String> sorts = new ArrayList<>();
        json.name("messages").openList();
        long before = tenths(from);
        for (LabStory.Message message : messages) {
            String sort = message.kind() + " " + message.label();
            if (!sorts.contains(sort)) {
                sorts.add(sort);
            }
            long at = tenths(message.at());
            json.value(at - before)
                    .value(message.takes() < 0 ? -1 : Math.max(1, tenths(message.takes())))
                    .value(message.from())
                    .value(message.to())
                    .value(sorts.indexOf(sort));
            before = at;
        }
        json.closeList();
        json.name("kinds").openList();
        sorts.forEach(sort -> json.value(sort.substring(0, sort.indexOf(' '))));
        json.closeList();
        json.name("labels").openList();
        sorts.forEach(sort -> json.value(sort.substring(sort.indexOf(' ') + 1)));
        json.closeList();
    }

    private void spans(String name, List<LabStory.Span> spans) {
        json.name(name).openList();
        spans.forEach(span ->
                json.value((long) span.place()).value(tenths(span.from())).value(tenths(span.to())));
        json.closeList();
    }

    private static long tenths(long nanos) {
        return nanos / NANOS_PER_TENTH;
    }
}
