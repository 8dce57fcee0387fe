package dev.incumbent.etcd;

import dev.incumbent.wire.Json;
import java.io.IOException;
import java.util.Optional;

/** In whose name requests are made: a user's token, had once for all connections and again when etcd knows it no longer. Thread-safe. */
final class Access {
    private final Optional<EtcdAddress.Login> login;
    private volatile String token = "";

    Access(Optional<EtcdAddress.Login> login) {
        this.login = login;
    }

    /** The header that says who asks; had over that connection if it is not known yet. */
    String header(Requests requests) throws IOException {
        if (login.isEmpty()) {
            return "";
        }
        if (token.isEmpty()) {
            EtcdAddress.Login who = login.get();
            Json answer = requests.postAnonymously(
                    "/v3/auth/authenticate",
                    "{\"name\":" + Json.quoted(who.user()) + ",\"password\":" + Json.quoted(who.password()) + "}");
            token = answer.at("token").text();
        }
        return "Authorization: " + token + "\r\n";
    }

    /** Forgets the token; false if there is nobody to have another for. */
    boolean renewed() {
        token = "";
        return login.isPresent();
    }
}
