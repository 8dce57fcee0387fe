package dev.incumbent.agent.http;

import dev.incumbent.agent.elections.ElectionRouter;
import dev.incumbent.model.ElectionName;
import java.util.List;
import java.util.stream.Collectors;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Takes every request: who asks, whether that one may, and which route answers. Thread-safe. */
final class Front extends Handler.Abstract {
    private static final String NO_ROUTE =
            "the agent knows no such address; the name of an election is one segment, in which / is written %2F";

    private final Gate gate;
    private final List<Route> open;
    private final List<Route> routes;

    Front(Gate gate, ElectionRouter elections, Meters meters) {
        this.gate = gate;
        this.open = Routes.open(elections);
        this.routes = Routes.of(gate, elections, meters);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Exchange exchange = new Exchange(request, response, callback);
        try {
            Gate.refuseForeign(request);
            answer(exchange, Asked.of(request));
        } catch (Problem problem) {
            exchange.problem(problem);
        } catch (RuntimeException bug) {
            exchange.problem(new Problem(500, "the agent failed: " + bug));
        }
        return true;
    }

    private void answer(Exchange exchange, Asked asked) {
        List<Route> openToAll = at(open, asked);
        if (!openToAll.isEmpty()) {
            byMethod(openToAll, asked).answer(exchange, asked, gate.askerOrAnybody(exchange.request()));
            return;
        }
        Asker asker = gate.asker(exchange.request());
        Route route = byMethod(at(routes, asked), asked);
        if (route.right().isPresent()) {
            ElectionName election = asked.election(route.electionAt());
            asker.require(route.right().get(), election);
        }
        route.answer(exchange, asked, asker);
    }

    private static List<Route> at(List<Route> routes, Asked asked) {
        return routes.stream().filter(route -> route.leadsTo(asked.path())).toList();
    }

    /** A HEAD is answered as a GET is, without the body: balancers send it. */
    private static Route byMethod(List<Route> there, Asked asked) {
        if (there.isEmpty()) {
            throw new Problem(404, NO_ROUTE);
        }
        String method = asked.method().equals("HEAD") ? "GET" : asked.method();
        return there.stream()
                .filter(route -> route.method().equals(method))
                .findFirst()
                .orElseThrow(
                        () -> new Problem(405, "this address takes " + methods(there) + ", not " + asked.method()));
    }

    private static String methods(List<Route> routes) {
        return routes.stream().map(Route::method).collect(Collectors.joining(" and "));
    }
}
