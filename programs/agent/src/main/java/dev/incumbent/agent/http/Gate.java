package dev.incumbent.agent.http;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/**
 * Who may ask at all. Of web pages only the agent's own may: one of another origin sends that {@code Origin}, and one whose name was made to point here sends a strange {@code Host}.
 *
 * @param rights by token and by user; needed where a port is listened on
 * @param user whose requests over a Unix socket may do everything, beside root's
 */
record Gate(Optional<Rights> rights, String user) {
    private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "[::1]");

    /** Of requests that need no right. */
    private static final Asker ANYBODY = new Asker(Optional.empty(), List.of());

    /** Refuses what a browser may have been made to send. The dashboard's own requests over a port name the origin that they are sent to. */
    static void refuseForeign(Request request) {
        Optional<Listen.Tcp> port = Door.tcp(request);
        Optional<String> own = port.map(listens -> "http://" + host(request, listens));
        List<String> origins = request.getHeaders().getValuesList(HttpHeader.ORIGIN);
        boolean isOwn =
                origins.size() == 1 && own.filter(origins.get(0)::equals).isPresent();
        if (request.getHeaders().contains(HttpHeader.ORIGIN) && !isOwn) {
            throw new Problem(403, "this request has the Origin of another page; the agent answers its own page alone");
        }
    }

    /** As which the request knows the agent; refused if it is none of its names. */
    private static String host(Request request, Listen.Tcp listens) {
        List<String> hosts = request.getHeaders().getValuesList(HttpHeader.HOST);
        String host = hosts.isEmpty() ? "" : hosts.get(0).toLowerCase(Locale.ROOT);
        String suffix = ":" + listens.port();
        String name = host.endsWith(suffix) ? host.substring(0, host.length() - suffix.length()) : host;
        String own = listens.toString().toLowerCase(Locale.ROOT);
        if (hosts.size() != 1 || !(LOCAL.contains(name) || host.equals(own))) {
            throw new Problem(421, "the Host header of this request names neither localhost nor " + listens);
        }
        return host;
    }

    /** What a request shows of its sender: the user of a Unix socket, or the header Authorization over a port. Prints neither. */
    record Shown(boolean isUser, String what) {
        @Override
        public String toString() {
            return isUser ? "a user" : "a token";
        }
    }

    /** What the sender shows. */
    static Shown shown(Request request) {
        if (Door.tcp(request).isEmpty()) {
            return new Shown(true, Peer.user(request).orElse(""));
        }
        List<HttpField> fields = request.getHeaders().getFields(HttpHeader.AUTHORIZATION);
        return new Shown(
                false, fields.size() == 1 ? String.valueOf(fields.get(0).getValue()) : "");
    }

    /** Who asks, where everybody may; whoever may do nothing is anybody. */
    Asker askerOrAnybody(Request request) {
        try {
            return asker(request);
        } catch (Problem mayDoNothing) {
            return ANYBODY;
        }
    }

    /** Who asks; refused if that one may do nothing. Whoever may do something is no stranger to the {@link Crowd} any more. */
    Asker asker(Request request) {
        Shown shown = shown(request);
        Asker asker = asker(shown);
        if (asker.grants().isEmpty()) {
            throw refusal(shown);
        }
        Crowd.admit(request, shown.what());
        return asker;
    }

    /** Who shows that, with the rights of now; perhaps none. */
    Asker asker(Shown shown) {
        return shown.isUser()
                ? new Asker(Optional.of(shown.what()), grantsOf(shown.what()))
                : new Asker(
                        Optional.empty(),
                        rights.map(all -> all.grants(shown.what())).orElse(List.of()));
    }

    private List<Grant> grantsOf(String asking) {
        return Peer.isTrusted(asking, user)
                ? List.of(Grant.EVERYTHING)
                : rights.map(all -> all.grantsOf(asking)).orElse(List.of());
    }

    private static Problem refusal(Shown shown) {
        return shown.isUser()
                ? new Problem(
                        403, "over this socket the agent answers its own user, root, and the users that --rights names")
                : new Problem(
                        401,
                        "a request needs the header 'Authorization: Bearer TOKEN' with a token that this agent knows");
    }
}
