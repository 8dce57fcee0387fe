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
        /** When each election was led last, but for those that are led now. */
        private final long[] led;

        private final boolean[] isLed;

        SomeoneLeadsOnceFaultsCease(World world) {
            super(world);
            this.led = new long[world.elections().size()];
            this.isLed = new boolean[led.length];
        }

        @Override
        public void believed(List<Belief> beliefs) {
            for (int i = 0; i < led.length; i++) {
                led[i] = ledLast(i);
                isLed[i] = false;
            }
            for (int i = 0; i < beliefs.size(); i++) {
                isLed[indexOf(beliefs.get(i).player())] |= beliefs.get(i).named();
            }
        }

        private long ledLast(int election) {
            return isLed[election] ? world().now() : led[election];
        }

        @Override
        void sampled() {
            if (!world().faults().haveCeased()) {
                return;
            }
            for (int i = 0; i < led.length; i++) {
                long since = Math.max(ledLast(i), world().faults().healedAt());
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
                if (world().now() - ledLast(i) > FEW_LEASES * world().profile().leaseNanos()) {
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
