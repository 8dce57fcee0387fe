package dev.incumbent.cli.run;

import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.telling.DurationText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;

/** What is told to people while a run goes on, and what of it ends the run. Prints on the main thread alone: a full pipe must stop nobody else. */
final class Bulletin implements Vigil.Told {
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

    private final Surroundings around;
    private final Plan plan;
    private final Stage stage;
    private boolean waitTold;
    private boolean silenceTold;
    private boolean refusalTold;
    private volatile OptionalInt outage = OptionalInt.empty();

    Bulletin(Surroundings around, Plan plan, Stage stage) {
        this.around = around;
        this.plan = plan;
        this.stage = stage;
    }

    /** The exit code of a run that gives up now, where the coordinator gives no lease: because it does not answer, or because it refuses. */
    OptionalInt outage() {
        return outage;
    }

    @Override
    public void heldBy(String whom) {
        if (plan.isNonblocking() && !stage.hasEverLed()) {
            giveUp(Ending.notAcquired(plan.conflictCode()), "not acquired: " + whom);
        } else if (plan.verbose() || isFirstWaitAtTerminal()) {
            say("waits: " + whom);
        }
    }

    private boolean isFirstWaitAtTerminal() {
        boolean tell = !waitTold && isTerminal();
        waitTold = true;
        return tell;
    }

    private static boolean isTerminal() {
        try {
            String device = Files.readSymbolicLink(STANDARD_ERROR).toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty") || device.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException unknown) {
            return false;
        }
    }

    @Override
    public void unreachable(String why) {
        outage = OptionalInt.of(ExitCodes.UNREACHABLE);
        if (!silenceTold) {
            silenceTold = true;
            say("the coordinator " + plan.at().label(around) + " does not answer: " + why);
        }
    }

    @Override
    public void refused(String why) {
        outage = OptionalInt.of(ExitCodes.CONFIGURATION);
        if (!refusalTold) {
            refusalTold = true;
            say("the coordinator " + plan.at().label(around) + " gives no lease: " + why);
        }
    }

    @Override
    public void reachable() {
        outage = OptionalInt.empty();
        say(refusalTold ? "the coordinator gives leases again" : "the coordinator answers again");
        silenceTold = false;
        refusalTold = false;
    }

    @Override
    public void unraised(String why) {
        if (plan.repeat()) {
            say(why);
        } else {
            giveUp(Ending.of(ExitCodes.SINK, "sink-unraised"), why);
        }
    }

    @Override
    public void unfenced(String why) {
        if (plan.repeat()) {
            say(why);
        } else {
            giveUp(Ending.of(ExitCodes.SINK, "stonith-unverified"), why);
        }
    }

    /** People must hear of a machine that is turned off. */
    @Override
    public void fencing(String what) {
        say(what);
    }

    @Override
    public void timingRefused(String why) {
        giveUp(Ending.refused(ExitCodes.CONFIGURATION), why);
    }

    @Override
    public void coordinatorRefused(String why) {
        giveUp(Ending.refused(ExitCodes.CONFIGURATION), why);
    }

    @Override
    public void aside(String why) {
        if (why.isEmpty()) {
            news("stands");
        } else if (plan.isNonblocking()) {
            giveUp(Ending.notAcquired(plan.conflictCode()), why);
        } else {
            say(why);
        }
    }

    /** A check says that this process cannot do the work. Who has led does not give up for it: the end of its term says how the run ends. */
    void sick(String why) {
        if (stage.hasEverLed()) {
            say("neither leads nor stands: " + why);
        } else {
            aside("does not stand: " + why);
        }
    }

    @Override
    public void news(String sentence) {
        if (plan.verbose()) {
            say(sentence);
        }
    }

    /** Leads on for so long, although the command has ended. */
    void holds(Duration left) {
        Duration lease = plan.timing().lease();
        news("the command has ended; leads on for " + DurationText.format(left)
                + (left.compareTo(lease) > 0
                        ? ", or for its lease of " + DurationText.format(lease) + " at most if this process is killed"
                        : ""));
    }

    @Override
    public void standsAgainAfter(Duration pause) {
        if (!stage.isOver()) {
            news("stands again after " + DurationText.format(pause));
        }
    }

    @Override
    public void failure(String sentence) {
        say(sentence);
    }

    private void giveUp(Ending ending, String why) {
        say(why);
        stage.leave(() -> stage.giveUp(ending));
    }

    private void say(String sentence) {
        stage.tell(() -> around.say(plan.election() + ": " + sentence));
    }
}
