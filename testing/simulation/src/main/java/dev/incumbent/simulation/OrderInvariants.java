package dev.incumbent.simulation;

import dev.incumbent.model.ElectionName;
import dev.incumbent.protocol.Standing.Listing;
import dev.incumbent.simulation.Fault.Kind;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What holds of the order of candidates. Each is a class named as its sentence. */
final class OrderInvariants {
    private OrderInvariants() {}

    /** Where nothing but ranks, cordons, health and operators changes, somebody leads wherever a candidate stands: all of these only delay, but for health, which keeps one from standing. */
    static final class SomebodyLeadsWhereverOneStands extends Inspector implements Onlooker {
        private static final int PATIENCE_LEASES = 12;
        private static final Set<Kind> ORDERLY = EnumSet.of(
                Kind.PRIORITY,
                Kind.CORDON,
                Kind.MOVES,
                Kind.UNHEALTHY,
                Kind.RESIGN,
                Kind.TRANSFER,
                Kind.OPERATOR_TRANSFER,
                Kind.PLANNED_TRANSFER);

        private final Map<ElectionName, Long> ledAt = new LinkedHashMap<>();
        private final Map<Player, Long> standsSince = new LinkedHashMap<>();
        private final boolean isOrderly;

        SomebodyLeadsWhereverOneStands(World world) {
            super(world);
            this.isOrderly = ORDERLY.containsAll(world.profile().kinds());
        }

        @Override
        public void believed(List<Belief> beliefs) {
            if (isOrderly) {
                beliefs.forEach(belief -> ledAt.put(belief.player().election(), world().now()));
            }
        }

        @Override
        void sampled() {
            if (!isOrderly || world().faults().haveCeased()) {
                return;
            }
            for (Node node : world().nodes()) {
                node.players().forEach(this::noteStanding);
            }
            standsSince.keySet().removeIf(player -> !player.process().isAlive());
            standsSince.forEach((player, since) -> {
                long idle = world().now() - Math.max(since, ledAt.getOrDefault(player.election(), 0L));
                boolean isLed = world().nodes().stream()
                        .flatMap(node -> node.player(player.election()).stream())
                        .anyMatch(Player::guardHolds);
                if (!isLed && idle > PATIENCE_LEASES * world().profile().leaseNanos()) {
                    violated(player.candidate() + " stands in " + player.election() + " and nobody leads for "
                            + PATIENCE_LEASES + " leases");
                }
            });
        }

        private void noteStanding(Player player) {
            boolean stands = player.wantsToLead() && player.state().standing().listing() == Listing.ON;
            if (stands) {
                standsSince.putIfAbsent(player, world().now());
            } else {
                standsSince.remove(player);
            }
        }
    }
}
