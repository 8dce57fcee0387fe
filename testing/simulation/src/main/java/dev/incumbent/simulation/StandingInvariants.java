package dev.incumbent.simulation;

import dev.incumbent.protocol.HeldLease;
import java.util.LinkedHashSet;
import java.util.Set;

/** What holds of whoever stands, whatever its user's code does. Each is a class named as its sentence. */
final class StandingInvariants {
    private StandingInvariants() {}

    /** Whoever says that it cannot do the work soon leads no more; but where its driver gets no processor. */
    static final class AnUnwellLeaderStops extends Inspector {
        private Set<Player> unwell = new LinkedHashSet<>();

        AnUnwellLeaderStops(World world) {
            super(world);
        }

        @Override
        void sampled() {
            Set<Player> before = unwell;
            unwell = new LinkedHashSet<>();
            for (Node node : world().nodes()) {
                for (Player player : node.players()) {
                    if (player.isUnwell() && player.guardHolds() && world().now() >= node.starvedUntil()) {
                        unwell.add(player);
                        if (before.contains(player)) {
                            violated(player.candidate() + " leads " + player.election() + " although it is unwell");
                        }
                    }
                }
            }
        }
    }

    /**
     * A process that nothing troubles but its users' code (tasks and listeners that throw, block, fail, or do not stop) keeps its lease alive: asked of every
     * election apart, since no one's code may harm another's.
     */
    static final class RenewalGoesOnWhateverUserCodeDoes extends Inspector {
        /** Answers may be lost twice in a row without any fault, and whoever asks for a lease waits longer each time. */
        private static final int FEW_LEASES = 3;

        RenewalGoesOnWhateverUserCodeDoes(World world) {
            super(world);
        }

        @Override
        void sampled() {
            long lease = world().profile().leaseNanos();
            for (Node node : world().nodes()) {
                if (node.isUp()
                        && !world().faults().isBroken(node)
                        && world().faults().troubledUntil(node) + FEW_LEASES * lease < world().now()) {
                    node.process().orElseThrow().players().forEach(player -> renewed(player, lease));
                }
            }
        }

        /** A task that does not stop, and that nothing fences, lets the lease lapse. */
        private static boolean lapses(Player player) {
            return player.state().lease().filter(HeldLease::ending).isPresent();
        }

        private void renewed(Player player, long lease) {
            boolean stands = player.wantsToLead() && player.stoodAt() + 2 * lease < world().now();
            if (stands && player.renewedAt() + 2 * lease < world().now() && !lapses(player)) {
                violated(player.candidate() + " has heard of no renewal in " + player.election() + " for "
                        + (world().now() - player.renewedAt()) / 1_000_000
                        + " ms, and nothing troubles it but users' code");
            }
        }
    }
}
