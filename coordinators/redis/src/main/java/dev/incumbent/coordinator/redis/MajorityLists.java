package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaseId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/** The candidates of each election: a register that holds them in the order of enlisting, one a line. Whoever changes a list leaves out those whose leases are dead. */
final class MajorityLists {
    private final Registers registers;
    private final MajorityLeases leases;

    MajorityLists(Registers registers, MajorityLeases leases) {
        this.registers = registers;
        this.leases = leases;
    }

    /** One line of a list; none where a later version wrote it. */
    private record Line(String text, Optional<Enlisted> candidate) {
        static List<Line> all(String body) {
            List<Line> lines = new ArrayList<>();
            for (String text : body.isEmpty() ? new String[0] : body.split("\n", -1)) {
                lines.add(new Line(text, read(text)));
            }
            return lines;
        }

        static Line of(Enlisted candidate) {
            return new Line(RecordJson.write(candidate), Optional.of(candidate));
        }

        private static Optional<Enlisted> read(String text) {
            try {
                return Optional.of(RecordJson.readEnlisted(text));
            } catch (UnreadableRecordException ofALaterVersion) {
                return Optional.empty();
            }
        }

        boolean isOf(CandidateId id) {
            return candidate.filter(one -> one.candidate().id().equals(id)).isPresent();
        }

        boolean lives(Map<LeaseId, Seen.Lease> looked) {
            return candidate.isEmpty()
                    || looked.getOrDefault(candidate.get().lease(), Seen.Lease.DEAD)
                            .isAlive();
        }
    }

    CompletableFuture<Boolean> enlist(ElectionName election, Enlisted candidate, long deadlineNanos) {
        return change(election, Set.of(candidate.lease()), deadlineNanos, (living, looked) -> {
            MajorityLeases.requireAlive(candidate.lease(), looked, "nobody enlists on it in " + election);
            List<Line> next = new ArrayList<>(living);
            CandidateId id = candidate.candidate().id();
            if (next.stream().anyMatch(line -> line.isOf(id))) {
                next.replaceAll(line -> line.isOf(id) ? Line.of(candidate) : line);
            } else {
                next.add(Line.of(candidate));
            }
            return next;
        });
    }

    CompletableFuture<Boolean> withdraw(ElectionName election, CandidateId candidate, long deadlineNanos) {
        return change(
                election,
                Set.of(),
                deadlineNanos,
                (living, looked) ->
                        living.stream().filter(line -> !line.isOf(candidate)).toList());
    }

    /** The lists of some elections, without the dead. */
    CompletableFuture<Map<ElectionName, List<Enlisted>>> read(List<ElectionName> elections, long deadlineNanos) {
        List<String> names = elections.stream().map(MajorityLists::register).toList();
        return registers.read(names, deadlineNanos).thenCompose(found -> {
            Map<ElectionName, List<Line>> lists = new HashMap<>();
            for (ElectionName election : elections) {
                Optional.ofNullable(found.get(register(election)))
                        .ifPresent(version -> lists.put(election, Line.all(version.body())));
            }
            List<Line> all = lists.values().stream().flatMap(List::stream).toList();
            return leases.look(leasesOf(all, Set.of()), deadlineNanos).thenApply(looked -> {
                Map<ElectionName, List<Enlisted>> living = new HashMap<>();
                lists.forEach((election, lines) -> living.put(
                        election,
                        lines.stream()
                                .filter(line -> line.lives(looked))
                                .flatMap(line -> line.candidate().stream())
                                .toList()));
                return living;
            });
        });
    }

    /** Changes a list from what it is now, again where another's change came first. */
    private CompletableFuture<Boolean> change(
            ElectionName election,
            Set<LeaseId> besides,
            long deadlineNanos,
            BiFunction<List<Line>, Map<LeaseId, Seen.Lease>, List<Line>> next) {
        String register = register(election);
        return registers.read(List.of(register), deadlineNanos).thenCompose(found -> {
            Version current = found.getOrDefault(register, Version.NONE);
            List<Line> lines = Line.all(current.body());
            return leases.look(leasesOf(lines, besides), deadlineNanos).thenCompose(looked -> {
                List<Line> living =
                        lines.stream().filter(line -> line.lives(looked)).toList();
                List<Line> changed = next.apply(living, looked);
                if (changed.equals(lines)) {
                    return CompletableFuture.completedFuture(true);
                }
                String body = String.join("\n", changed.stream().map(Line::text).toList());
                return registers
                        .swap(register, current.nonce(), UUID.randomUUID().toString(), body, deadlineNanos)
                        .thenCompose(outcome -> outcome.isChanged()
                                ? CompletableFuture.completedFuture(true)
                                : change(election, besides, deadlineNanos, next));
            });
        });
    }

    private static List<LeaseId> leasesOf(List<Line> lines, Set<LeaseId> besides) {
        Set<LeaseId> all = new TreeSet<>(besides);
        lines.forEach(line -> line.candidate().ifPresent(one -> all.add(one.lease())));
        return List.copyOf(all);
    }

    private static String register(ElectionName election) {
        return "c:" + election;
    }
}
