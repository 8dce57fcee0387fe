package dev.incumbent.simulation;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Role;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What comes about once faults have ceased. Each is a class named as its sentence. */
final class RecoveryInvariants {
    private static final int FEW_LEASES = 4;

    private RecoveryInvariants() {}

    private record AtSink(SinkModel sink, ElectionName election) {}

    /** Some time after faults have ceased somebody leads each election, and the store says so; but for a few leases, for messages may always be late. */
    static final class SomeoneLeadsOnceFaultsCease extends Inspector {
        private final Map<ElectionName, Long> led = new HashMap<>();

        SomeoneLeadsOnceFaultsCease(World world) {
            super(world);
        }

        @Override
        void afterEvent() {
            if (world().faults().haveCeased()) {
                for (ElectionName election : world().elections()) {
                    leader(world(), election).ifPresent(leader -> led.put(election, world().now()));
                }
            }
        }

        @Override
        void afterFaultsCeased() {
            for (ElectionName election : world().elections()) {
                if (world().now() - led.getOrDefault(election, 0L)
                        > FEW_LEASES * world().profile().leaseNanos()) {
                    violated("nobody leads " + election + "; the record is " + world().record(election));
                }
            }
        }

        static Optional<Player> leader(World world, ElectionName election) {
            return world.nodes().stream()
                    .flatMap(node -> node.player(election).stream())
                    .filter(Player::guardHolds)
                    .filter(player -> world.record(election)
                            .record()
                            .names(
                                    player.node().candidate().id(),
                                    player.state().tenure().orElseThrow().term().number()))
                    .findFirst();
        }
    }

    /** … and every sink has taken its writes lately. */
    static final class SinksTakeItsWrites extends Inspector {
        private final Map<AtSink, Long> lastAt = new HashMap<>();
        private final Map<AtSink, Long> lastToken = new HashMap<>();

        SinksTakeItsWrites(World world) {
            super(world);
        }

        @Override
        void admitted(SinkModel sink, ElectionName election, FencingToken token, int begun) {
            lastAt.put(new AtSink(sink, election), world().now());
            lastToken.put(new AtSink(sink, election), token.value());
        }

        @Override
        void afterFaultsCeased() {
            long since = world().now() - 2 * world().profile().leaseNanos();
            for (ElectionName election : world().elections()) {
                for (SinkModel sink : world().sinks()) {
                    AtSink key = new AtSink(sink, election);
                    if (lastAt.getOrDefault(key, 0L) < since) {
                        violated(sink.id() + " has taken no write of " + election + " for two leases; last token "
                                + lastToken.get(key) + ", its mark is " + sink.mark(election));
                    }
                }
            }
        }
    }

    /** … and everybody else who could stands in line, or has done so a few leases ago. */
    static final class NoCandidacyIsStuck extends Inspector {
        private final Map<Player, Long> stood = new HashMap<>();

        NoCandidacyIsStuck(World world) {
            super(world);
        }

        @Override
        void afterEvent() {
            if (world().faults().haveCeased()) {
                for (Node node : world().nodes()) {
                    for (Player player : node.players()) {
                        if (stands(player)) {
                            stood.put(player, world().now());
                        }
                    }
                }
            }
        }

        @Override
        void afterFaultsCeased() {
            for (Node node : world().nodes()) {
                if (node.isUp() && !world().faults().isBroken(node)) {
                    node.players().forEach(this::stoodLately);
                }
            }
        }

        private static boolean stands(Player player) {
            Role role = player.state().role();
            return role == Role.CANDIDATE || role == Role.LEADER;
        }

        private void stoodLately(Player player) {
            if (world().now() - stood.getOrDefault(player, 0L)
                    > FEW_LEASES * world().profile().leaseNanos()) {
                violated(player.node().candidate() + " is " + player.state().role() + " in "
                        + player.setup().election() + " long after faults have ceased");
            }
        }
    }
}
