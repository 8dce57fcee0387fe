package dev.incumbent.simulation;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What comes about once faults have ceased. Each is a class named as its sentence. */
final class RecoveryInvariants {
    private static final int FEW_LEASES = 4;
    private static final int RECOVERY_LEASES = 12;

    private RecoveryInvariants() {}

    private record AtSink(SinkModel sink, ElectionName election) {}

    /** Some time after faults have ceased somebody leads each election, and the store says so; but for a few leases, for messages may always be late. */
    static final class SomeoneLeadsOnceFaultsCease extends Inspector implements Onlooker {
        private final long[] led;

        SomeoneLeadsOnceFaultsCease(World world) {
            super(world);
            this.led = new long[world.elections().size()];
        }

        @Override
        public void afterEvent(List<Belief> beliefs) {
            if (world().faults().haveCeased()) {
                for (int i = 0; i < beliefs.size(); i++) {
                    if (beliefs.get(i).named()) {
                        led[indexOf(beliefs.get(i).player())] = world().now();
                    }
                }
            }
        }

        @Override
        void sampled() {
            if (!world().faults().haveCeased()) {
                return;
            }
            for (int i = 0; i < led.length; i++) {
                long since = Math.max(led[i], world().faults().healedAt());
                if (world().now() - since > RECOVERY_LEASES * world().profile().leaseNanos()) {
                    violated("nobody has led " + world().elections().get(i) + " for " + RECOVERY_LEASES
                            + " leases since the last fault");
                }
            }
        }

        private int indexOf(Player player) {
            return world().elections().indexOf(player.election());
        }

        @Override
        void afterFaultsCeased() {
            for (int i = 0; i < led.length; i++) {
                if (world().now() - led[i] > FEW_LEASES * world().profile().leaseNanos()) {
                    ElectionName election = world().elections().get(i);
                    violated("nobody leads " + election + "; the record is " + world().record(election));
                }
            }
        }
    }

    /** … and every sink has taken its writes lately. */
    static final class SinksTakeItsWrites extends Inspector {
        private final Map<AtSink, Long> lastAt = new LinkedHashMap<>();
        private final Map<AtSink, Long> lastToken = new LinkedHashMap<>();

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
            recovered();
        }

        @Override
        void recovered() {
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
}
