package dev.incumbent.health;

import dev.incumbent.Candidacy;
import java.lang.reflect.Proxy;
import java.util.List;

/** A candidacy that notes what it is told, and does nothing. */
final class NotingCandidacy {
    private NotingCandidacy() {}

    static Candidacy to(List<String> told) {
        return (Candidacy) Proxy.newProxyInstance(
                Candidacy.class.getClassLoader(), new Class<?>[] {Candidacy.class}, (proxy, method, arguments) -> {
                    told.add(method.getName() + " " + arguments[0]);
                    return null;
                });
    }
}
