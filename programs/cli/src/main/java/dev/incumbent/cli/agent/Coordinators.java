package dev.incumbent.cli.agent;

import dev.incumbent.agent.elections.PrefixMap;
import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** The open coordinators of an agent: one for each URI, however many prefixes name it. */
final class Coordinators implements AutoCloseable {
    private final Deque<Coordinator> opened = new ArrayDeque<>();
    private final PrefixMap<Coordinator> map;

    private Coordinators(Surroundings around, PrefixMap<String> uris, Duration requestTimeout) {
        try {
            map = uris.map(uri -> {
                Coordinator one = open(around, uris, uri, requestTimeout);
                opened.push(one);
                return one;
            });
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    /** Opens each. Where one cannot be, a refusal names its prefixes, and nothing stays open. */
    static Coordinators open(Surroundings around, PrefixMap<String> uris, Duration requestTimeout) {
        return new Coordinators(around, uris, requestTimeout);
    }

    private static Coordinator open(Surroundings around, PrefixMap<String> uris, String uri, Duration requestTimeout) {
        Optional<String> prefixes = uris.name(uri).filter(name -> !uri.equals(uris.others()));
        if (prefixes.isEmpty()) {
            return At.open(around, uri, Mode.CREATE, requestTimeout);
        }
        String flag = "--prefix " + prefixes.get();
        try {
            return At.open(around, flag, uri, requestTimeout);
        } catch (CoordinatorUnusableException unusable) {
            throw Refusal.configuration(flag + ": " + unusable.getMessage());
        } catch (CoordinatorException unreachable) {
            throw Refusal.unreachable(flag + ": " + unreachable.getMessage());
        }
    }

    /** By the prefixes of the elections that they decide. */
    PrefixMap<Coordinator> map() {
        return map;
    }

    @Override
    public void close() {
        opened.forEach(Coordinator::close);
    }
}
