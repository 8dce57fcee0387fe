package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaseId;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * Leases, an item each. One is alive for as long as its item is there. Who sees it overdue deletes it, if it still is as it was seen, and only then tells it dead: so
 * a keep-alive and a burial race for one item, and one of them wins.
 */
final class Sessions {
    static final Duration FLOOR = Duration.ofSeconds(1);

    private final Table table;
    private final Timeline timeline;
    private final Mode mode;
    private final Vigil vigil = new Vigil();

    Sessions(Table table, Timeline timeline, Mode mode) {
        this.table = table;
        this.timeline = timeline;
        this.mode = mode;
    }

    Vigil vigil() {
        return vigil;
    }

    GrantedLease grant(TableCall<?> call, CandidateId owner, Duration asked) {
        Duration length = asked.compareTo(FLOOR) < 0 ? FLOOR : asked.plusNanos(999_999);
        LeaseId id = Item.freshLease();
        Table.Write write = table.update(
                call,
                Item.lease(id),
                update -> update.conditionExpression("attribute_not_exists(pk)")
                        .updateExpression("SET renewal = :renewal, ttlMs = :length, #owner = :owner")
                        .expressionAttributeNames(Map.of("#owner", Item.OWNER))
                        .expressionAttributeValues(Map.of(
                                ":renewal",
                                freshRenewal(),
                                ":length",
                                Item.number(length.toMillis()),
                                ":owner",
                                Item.text(owner.value()))));
        if (write instanceof Table.Write.Refused) {
            throw new CoordinatorException("the fresh lease " + id + " is there already", false);
        }
        return new GrantedLease(id, Duration.ofMillis(length.toMillis()));
    }

    /** One request, that knows nothing of the lease's state but that it must be there: without that condition it would revive what is buried. */
    void keepAlive(TableCall<?> call, LeaseId id) {
        if (!Item.isLease(id)) {
            throw new LeaseLostException(id, "it was never granted here");
        }
        Table.Write write = table.update(
                call,
                Item.lease(id),
                update -> update.conditionExpression("attribute_exists(pk)")
                        .updateExpression("SET renewal = :renewal")
                        .expressionAttributeValues(Map.of(":renewal", freshRenewal())));
        if (write instanceof Table.Write.Refused) {
            vigil.forget(id);
            throw new LeaseLostException(id, "it was buried or revoked");
        }
    }

    private static software.amazon.awssdk.services.dynamodb.model.AttributeValue freshRenewal() {
        return Item.text(UUID.randomUUID().toString());
    }

    void revoke(TableCall<?> call, LeaseId id) {
        if (Item.isLease(id)) {
            table.delete(call, Item.lease(id), UnaryOperator.identity());
            vigil.forget(id);
        }
    }

    boolean isAlive(TableCall<?> call, LeaseId id) {
        return !alive(call, List.of(id)).isEmpty();
    }

    /** Which of these are alive; who is overdue is buried first. At most a batch's. */
    Set<LeaseId> alive(TableCall<?> call, Collection<LeaseId> ids) {
        List<LeaseId> asked = ids.stream().filter(Item::isLease).distinct().toList();
        if (asked.isEmpty()) {
            return Set.of();
        }
        List<Item> found = table.get(call, asked.stream().map(Item::lease).toList());
        Set<LeaseId> alive = aliveAmong(call, found);
        asked.stream().filter(id -> !alive.contains(id)).forEach(vigil::forget);
        return alive;
    }

    private Set<LeaseId> aliveAmong(TableCall<?> call, List<Item> sessions) {
        long seen = timeline.nanos();
        Set<LeaseId> alive = new HashSet<>();
        for (Item session : sessions) {
            if (!vigil.isOverdue(session, seen) || !bury(call, session)) {
                alive.add(new LeaseId(session.sort()));
            }
        }
        return alive;
    }

    /** Deletes a session if it still is as it was seen; false where it is not, or where that is not known. Nobody buries who may only read. */
    private boolean bury(TableCall<?> call, Item overdue) {
        if (mode == Mode.READ_ONLY) {
            return false;
        }
        try {
            Table.Write write = table.delete(
                    call,
                    overdue,
                    delete -> delete.conditionExpression("renewal = :seen or attribute_not_exists(pk)")
                            .expressionAttributeValues(Map.of(
                                    ":seen",
                                    Item.text(overdue.find(Item.RENEWAL).orElse("")))));
            boolean isBuried = write instanceof Table.Write.Applied;
            if (isBuried) {
                vigil.forget(new LeaseId(overdue.sort()));
            }
            return isBuried;
        } catch (CoordinatorException unanswered) {
            return false;
        }
    }

    /** Looks at all leases of one digit, and buries those that nobody keeps alive, candidates and leaders or not. */
    void sweep(TableCall<?> call, char digit) {
        List<Item> sessions = table.query(call, Item.leases(digit), "", true);
        Set<LeaseId> alive = aliveAmong(call, sessions);
        vigil.forgetAllBut(alive, digit);
    }
}
