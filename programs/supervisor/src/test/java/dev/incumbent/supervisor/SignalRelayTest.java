package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SignalRelayTest {
    private final Target target = new Target();
    private final SignalRelay relay = new SignalRelay(target);

    @Test
    void theFirstTermStopsAndTheSecondKills() {
        target.started = true;

        relay.accept(15);
        relay.accept(15);
        relay.accept(15);

        assertThat(target.done).containsExactly("stop 15", "kill", "kill");
    }

    @Test
    void everyOtherSignalIsPassedOn() {
        target.started = true;

        for (int signal : new int[] {1, 2, 10, 12, 18}) {
            relay.accept(signal);
        }

        assertThat(target.done).containsExactly("pass 1", "pass 2", "pass 10", "pass 12", "pass 18");
    }

    @Test
    void aSignalBeforeTheStartEndsTheWrapperSaveTheOneThatOnlyWakesIt() {
        relay.accept(18);
        relay.accept(2);

        assertThat(target.done).containsExactly("end 2");
    }

    private static final class Target implements SignalRelay.Target {
        private final List<String> done = new ArrayList<>();
        private boolean started;

        @Override
        public boolean isStarted() {
            return started;
        }

        @Override
        public void endBeforeStart(int signal) {
            done.add("end " + signal);
        }

        @Override
        public void stop(int signal) {
            done.add("stop " + signal);
        }

        @Override
        public void kill() {
            done.add("kill");
        }

        @Override
        public void pass(int signal) {
            done.add("pass " + signal);
        }
    }
}
