package dev.incumbent.agent.http;

import dev.incumbent.agent.elections.News;
import dev.incumbent.telling.ChangeJson;
import dev.incumbent.telling.JsonObject;
import dev.incumbent.telling.Reasons;

/** What followers are told, as server-sent events. Only a change of leader has an id: by it alone a stream can be resumed. */
final class EventText {
    /** A comment: readers pass it over. */
    static final String SIGN = ":\n\n";

    private EventText() {}

    static String of(News news) {
        if (news instanceof News.LeaderChanged changed) {
            return "id: " + changed.index() + "\n" + event("leader", ChangeJson.of(changed.change()));
        } else if (news instanceof News.Acquired acquired) {
            return event("acquired", token(acquired.token()));
        } else if (news instanceof News.InJeopardy inJeopardy) {
            return event("jeopardy", token(inJeopardy.token()));
        } else if (news instanceof News.Safe safe) {
            return event("safe", token(safe.token()));
        }
        if (news instanceof News.AlarmChanged changed) {
            return event(
                    changed.alarm().isOpen() ? "alarm" : "alarm-over",
                    changed.alarm().json());
        }
        News.Lost lost = (News.Lost) news;
        JsonObject data = token(lost.token());
        lost.reason().ifPresent(reason -> data.put("reason", Reasons.word(reason)));
        return event("lost", data);
    }

    private static JsonObject token(long token) {
        return new JsonObject().put("token", token);
    }

    private static String event(String name, JsonObject data) {
        return "event: " + name + "\ndata: " + data + "\n\n";
    }
}
