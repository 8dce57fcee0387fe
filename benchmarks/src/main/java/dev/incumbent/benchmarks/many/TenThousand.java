package dev.incumbent.benchmarks.many;

import static dev.incumbent.benchmarks.Output.load;
import static dev.incumbent.benchmarks.Output.print;

import dev.incumbent.benchmarks.many.Contender.Seen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Ten thousand offices won and held by one process, over etcd, PostgreSQL and our own quorum, and by jetcd; ours are asked, as jetcd's are, and then have a task
 * each. {@code [--elections N] [--lease SECONDS] [--leases N] [--form asked|tasks] [--alone] [etcd|postgresql|quorum…]}; alone means without jetcd.
 */
public final class TenThousand {
    private static final int THREADS = 20;
    private static final double HEAP = 2_048;
    /** A counter is read between two beats. */
    private static final double KEEP_ALIVES = 1.2;

    private static final double SECONDS_ON_ETCD = 2;
    private static final String ASKED = "asked";
    private static final String TASKS = "tasks";
    private static final String ALONE = "--alone";

    private int offices = 10_000;
    private int leases = 4;
    private boolean alone;
    private Duration lease = Duration.ofSeconds(15);
    private final Set<String> stores = new LinkedHashSet<>();
    private Set<String> forms = Set.of(ASKED, TASKS);

    private TenThousand() {}

    public static void main(String[] args) throws Exception {
        TenThousand all = new TenThousand();
        if (!all.understands(args)) {
            System.err.println(
                    "ten-thousand [--elections N] [--lease SECONDS] [--leases N] [--form asked|tasks] [--alone] ["
                            + String.join("|", Store.NAMES) + "…]");
            System.exit(64);
        }
        all.run();
    }

    private boolean understands(String... args) {
        try {
            for (int i = 0; i < args.length; i++) {
                switch (args[i]) {
                    case "--elections" -> offices = Integer.parseInt(args[++i]);
                    case "--leases" -> leases = Integer.parseInt(args[++i]);
                    case "--lease" -> lease = Duration.ofSeconds(Integer.parseInt(args[++i]));
                    case ALONE -> alone = true;
                    case "--form" -> forms = Set.of(args[++i]);
                    default -> stores.add(args[i]);
                }
            }
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return false;
        }
        if (stores.isEmpty()) {
            stores.addAll(Store.NAMES);
        }
        return Store.NAMES.containsAll(stores)
                && Set.of(ASKED, TASKS).containsAll(forms)
                && offices > 0
                && leases > 0
                && lease.toSeconds() > 2;
    }

    private void run() throws Exception {
        print(
                "%d elections, lease %d s, held for %d leases; JDK %s; load %s",
                offices, lease.toSeconds(), leases, System.getProperty("java.version"), load());
        Optional<Seen> jetcd = alone ? Optional.empty() : Optional.of(measure("jetcd", "etcd"));
        List<Seen> ours = new ArrayList<>();
        List<Seen> withTasks = new ArrayList<>();
        for (String store : stores) {
            if (forms.contains(ASKED)) {
                ours.add(measure("incumbent", store));
            }
            if (forms.contains(TASKS)) {
                withTasks.add(measure("tasks", store));
            }
        }
        jetcd.ifPresent(peer -> table(peer, ours, withTasks));
        ours.forEach(TenThousand::verdicts);
        withTasks.forEach(TenThousand::verdictsOnTasks);
        print("load at the end %s", load());
    }

    private Seen measure(String who, String store) throws Exception {
        Seen seen = new Contender(who, store, offices, lease, leases).measure();
        print(
                "  %s: %s%.2f s to win all, %d not held at the end, %s",
                seen.name(), seen.wonAll() ? "" : "NOT ALL WON after ", seen.seconds(), seen.lost(), seen.remarks());
        return seen;
    }

    private static void table(Seen jetcd, List<Seen> ours, List<Seen> withTasks) {
        head();
        row(jetcd, jetcd);
        ours.forEach(one -> row(one, jetcd));
        withTasks.forEach(one -> row(one, jetcd));
    }

    private static void head() {
        print("");
        print(
                "| %-30s | %18s | %22s | %9s | %5s | %18s | %22s |",
                "",
                "all won (x jetcd)",
                "keep-alives per third",
                "threads",
                "tasks'",
                "heap each (x jetcd)",
                "less the task's thread");
        print("|---|---|---|---|---|---|---|");
    }

    private static void row(Seen one, Seen jetcd) {
        print(
                "| %-30s | %7.2f s (%.2f) | %22.2f | %9d | %5d | %7.0f B (%.2f) | %20.0f B |",
                one.name(),
                one.seconds(),
                one.seconds() / jetcd.seconds(),
                one.keepAlives(),
                one.threads(),
                one.tasks(),
                one.heap(),
                one.heap() / jetcd.heap(),
                one.heapOfOurs());
    }

    private static void verdicts(Seen one) {
        held(one);
        verdict("threads", one.threads() + one.tasks() <= THREADS, "%d of %d", one.threads() + one.tasks(), THREADS);
        verdict("heap each", one.heap() <= HEAP, "%.0f of %.0f B", one.heap(), HEAP);
        if (one.name().endsWith(" etcd")) {
            verdict(
                    "all won in time",
                    one.seconds() <= SECONDS_ON_ETCD,
                    "%.2f of %.0f s",
                    one.seconds(),
                    SECONDS_ON_ETCD);
        }
    }

    /** A task's thread is its user's; what is ours is held to the budgets. */
    private static void verdictsOnTasks(Seen one) {
        held(one);
        verdict("threads, less the tasks'", one.threads() <= THREADS, "%d of %d", one.threads(), THREADS);
        verdict("heap each, less the task's", one.heapOfOurs() <= HEAP, "%.0f of %.0f B", one.heapOfOurs(), HEAP);
    }

    private static void held(Seen one) {
        print("%s:", one.name());
        verdict("all won and held", one.lost() == 0 && one.wonAll(), "");
        verdict(
                "one keep-alive a third",
                one.keepAlives() > 0 && one.keepAlives() <= KEEP_ALIVES,
                "%.2f",
                one.keepAlives());
    }

    private static void verdict(String what, boolean within, String figures, Object... values) {
        print("  %-26s %-6s %s", what, within ? "within" : "OVER", String.format(Locale.ROOT, figures, values));
    }
}
