package dev.incumbent.examples;

import dev.incumbent.Guard;
import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import dev.incumbent.LeadershipLostException;
import dev.incumbent.Validity;
import java.util.function.Consumer;

/** Leads on behalf of a process that cannot ask: it is told anew, with each renewal, until when it may work. */
public final class RemoteWorker implements LeaderTask {
    /** One step of work, and false once there is none left. */
    public interface Work {
        boolean step() throws InterruptedException;
    }

    private final Consumer<Validity> told;
    private final Work work;

    public RemoteWorker(Consumer<Validity> told, Work work) {
        this.told = told;
        this.work = work;
    }

    @Override
    public void lead(Leadership leadership) throws InterruptedException, LeadershipLostException {
        leadership.onRenewed(told);
        whileLed(leadership);
    }

    /** Needs no more of a leadership than its guard: also right for code that must not resign. */
    private void whileLed(Guard guard) throws InterruptedException, LeadershipLostException {
        do {
            guard.check();
        } while (work.step());
    }
}
