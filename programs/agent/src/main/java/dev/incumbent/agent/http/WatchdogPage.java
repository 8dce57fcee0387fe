package dev.incumbent.agent.http;

import dev.incumbent.agent.elections.ElectionRouter;
import dev.incumbent.agent.elections.GuardedWork;
import dev.incumbent.agent.elections.HostWatchdog;
import dev.incumbent.agent.elections.WatchdogView;
import dev.incumbent.telling.JsonObject;
import java.util.List;

/** Tells how the watchdog of this host stands. Thread-safe. */
final class WatchdogPage {
    private final ElectionRouter elections;

    WatchdogPage(ElectionRouter elections) {
        this.elections = elections;
    }

    /** It names elections, so it is for whoever may read all. */
    void tell(Exchange exchange, Asked asked, Asker asker) {
        if (!asker.readsAll()) {
            throw new Problem(403, "only who may read all elections, *, may read of the watchdog");
        }
        HostWatchdog watchdog = elections.watchdog().orElseThrow(() -> new Problem(404, "this agent has no watchdog"));
        exchange.answer(200, json(watchdog).toString());
    }

    private static JsonObject json(HostWatchdog watchdog) {
        WatchdogView view = watchdog.view();
        JsonObject json = new JsonObject()
                .put("device", watchdog.device().toString())
                .put("counts", view.firesAtNanos().isPresent());
        watchdog.remaining().ifPresent(left -> json.put("firesInMs", left.toMillis()));
        watchdog.trouble().ifPresent(why -> json.put("trouble", why));
        List<JsonObject> works = view.works().stream().map(WatchdogPage::json).toList();
        return json.put("fed", !view.fires()).put("works", works);
    }

    private static JsonObject json(GuardedWork work) {
        JsonObject json = new JsonObject().put("election", work.election()).put("name", work.name());
        work.process().ifPresent(process -> json.put("pid", process.pid()));
        return json;
    }
}
