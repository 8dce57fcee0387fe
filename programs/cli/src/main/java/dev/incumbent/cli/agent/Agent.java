package dev.incumbent.cli.agent;

import dev.incumbent.Stonith;
import dev.incumbent.agent.HostAgent;
import dev.incumbent.agent.alarms.AlarmCommand;
import dev.incumbent.agent.elections.Bounds;
import dev.incumbent.agent.elections.HostSetup;
import dev.incumbent.agent.elections.HostStonith;
import dev.incumbent.agent.elections.HostWatchdog;
import dev.incumbent.agent.elections.Prefix;
import dev.incumbent.agent.elections.PrefixMap;
import dev.incumbent.agent.http.Listen;
import dev.incumbent.agent.http.Rights;
import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Sinks;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.cli.run.StonithFlags;
import dev.incumbent.cli.run.Who;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.Timing;
import dev.incumbent.supervisor.SupervisorBinary;
import dev.incumbent.supervisor.SupervisorUnavailableException;
import dev.incumbent.telling.DurationText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code agent}: the daemon of one host, until it is told to end. */
@Command(
        name = "agent",
        description = {
            "Runs one daemon per host, until interrupted. Programs in any language hold elections through it by HTTP.",
            "Told to end, it grants nothing more, and gives up each term once its owner has stopped or must have."
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  $ incumbent agent --at etcd://etcd1:2379/incumbent --listen unix:/run/incumbent/agent.sock",
            "  $ curl --unix-socket /run/incumbent/agent.sock -d '{\"ttlMs\":5000,\"name\":\"closer\"}' \\",
            "      http://localhost/v1/elections/billing%%2Fcloser/campaign",
            "  $ incumbent agent --at etcd://etcd1:2379/incumbent --listen unix:/run/incumbent/agent.sock \\",
            "      --sink postgresql://db/ledger --on-alarm 'logger -t incumbent'",
            "  $ incumbent agent --at etcd://etcd1:2379/incumbent --watchdog /dev/watchdog \\",
            "      --listen unix:/run/incumbent/agent.sock",
            "  $ incumbent agent --at etcd://etcd1:2379/incumbent --lease 45s --stonith /etc/incumbent/stonith.conf \\",
            "      --stonith-for disk/ --listen unix:/run/incumbent/agent.sock",
            "  $ incumbent agent --at etcd://etcd1:2379/incumbent --prefix batch/=postgresql://db/batch \\",
            "      --listen unix:/run/incumbent/agent.sock"
        })
public final class Agent implements Verb {
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final String PORT = "127.0.0.1:7407";

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT|unix:/path",
            description = {
                "Where it listens, on this machine alone; may come more than once (" + PORT + ").",
                "A port needs --rights; a Unix socket serves this user, root, and the users named there."
            })
    private List<String> listens = List.of();

    @Option(
            names = "--rights",
            paramLabel = "FILE",
            description = {
                "Who may ask: a line each, TOKEN PREFIX read|campaign|watchdog|operate over a port,",
                "user:NAME PREFIX … over a Unix socket.",
                "PREFIX is an election, NAME/ for all beneath it, or * for all. Read again when it changes."
            })
    private @Nullable Path rights;

    @Option(
            names = "--lease",
            paramLabel = "DUR",
            description = "Another candidate may take over this long after the last renewal (15s).")
    private Duration lease = LEASE;

    @Option(
            names = "--sink",
            paramLabel = "URL",
            description = "A sink that is raised before each term begins; may come more than once.")
    private List<String> sinks = List.of();

    @Option(
            names = "--on-alarm",
            paramLabel = "CMD",
            description = {
                "Run by sh for each alarm, and when it is over, one at a time, for 10 s at most: the alarm",
                "as JSON on its input, and INCUMBENT_ALARM_KIND, _ELECTION, _STATE (raised or over),",
                "_SENTENCE and _SINCE in its environment. An alarm: views of an election contradict each other."
            })
    private @Nullable String onAlarm;

    @Option(
            names = "--watchdog",
            paramLabel = "DEVICE",
            description = {
                "A hardware watchdog, such as /dev/watchdog. It restarts this host if the work of an owner that asked",
                "for it has not stopped when the leadership ends. Needs a lease of 9s or more, and a C compiler once."
            })
    private @Nullable Path watchdog;

    @Option(
            names = "--spread",
            description = {
                "Tells in its candidacies how many elections it leads: of equal rank and position, who leads fewer claims",
                "first. For all agents of the same elections. It only delays, and moves no leader."
            })
    private boolean spread;

    @Option(
            names = "--stonith-for",
            paramLabel = "PREFIX",
            description = {
                "In which elections --stonith is asked: an election, or NAME/ for all beneath it (all). May come more",
                "than once. An owner there names the process that does its work by \"pid\"."
            })
    private List<String> stonithFor = List.of();

    @Mixin
    private StonithFlags stonith = new StonithFlags();

    @Mixin
    private Who who = new Who();

    @Mixin
    private At at = new At();

    @Mixin
    private PrefixFlags prefixes = new PrefixFlags();

    @Override
    public int run(Surroundings around) throws InterruptedException {
        who.check();
        if (onAlarm != null && onAlarm.isBlank()) {
            throw Refusal.usage("--on-alarm is a command for sh, such as 'logger -t incumbent'; this one is empty");
        }
        PrefixMap<String> uris = prefixes.uris(at.uri(around));
        HostAgent.Access access = access(around);
        Timing timing = timing();
        who.check(timing.lease());
        Optional<HostStonith> turning = stonith(around, timing);
        List<Sink> opened = new ArrayList<>();
        try (Coordinators coordinators = Coordinators.open(around, uris, timing.requestTimeout())) {
            sinks.forEach(url -> opened.add(Sinks.open(around, url, timing.requestTimeout())));
            Optional<HostWatchdog> guard = Optional.ofNullable(watchdog).map(device -> open(device, timing));
            HostSetup setup = new HostSetup(
                    coordinators.map(),
                    timing,
                    who.name(),
                    who.address().orElse(""),
                    who.rank(),
                    who.movesToBetter(),
                    opened,
                    spread,
                    guard,
                    turning);
            return serve(around, setup, access, command(around));
        } finally {
            opened.forEach(Sink::close);
        }
    }

    private Optional<HostStonith> stonith(Surroundings around, Timing timing) {
        Set<Prefix> only = new TreeSet<>();
        for (String text : stonithFor) {
            only.add(Prefix.ifLegal(text)
                    .orElseThrow(
                            () -> Refusal.usage("--stonith-for is the name of an election, or NAME/ for all beneath it;"
                                    + " this one is '" + text + "'")));
        }
        Optional<Stonith> how = stonith.stonithForOthers(timing, around);
        if (how.isEmpty() && !only.isEmpty()) {
            throw Refusal.usage("--stonith-for has no effect without --stonith FILE");
        }
        return how.map(one -> new HostStonith(one, only));
    }

    private Optional<AlarmCommand> command(Surroundings around) {
        return Optional.ofNullable(onAlarm).map(line -> new AlarmCommand(line, around::say));
    }

    private static HostWatchdog open(Path device, Timing timing) {
        HostWatchdog.objection(timing).ifPresent(why -> {
            throw Refusal.configuration("--watchdog " + device + ": " + why);
        });
        try {
            Path folder = SupervisorBinary.defaultFolder();
            return HostWatchdog.open(
                    List.of(SupervisorBinary.findOrBuild(folder).toString()), device, folder);
        } catch (IOException unusable) {
            throw Refusal.configuration("--watchdog " + unusable.getMessage());
        } catch (SupervisorUnavailableException unbuilt) {
            throw Refusal.configuration("--watchdog " + device + ": " + unbuilt.getMessage());
        }
    }

    private static int serve(
            Surroundings around, HostSetup setup, HostAgent.Access access, Optional<AlarmCommand> onAlarm)
            throws InterruptedException {
        try (HostAgent agent = HostAgent.start(setup, access, onAlarm);
                Systemd systemd = Systemd.of(around)) {
            agent.listens().forEach(listen -> around.say("the agent listens on " + listen));
            CountDownLatch ended = new CountDownLatch(1);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(agent, systemd, ended), "incumbent-end"));
            systemd.ready("listens on " + agent.listens(), agent::lives);
            ended.await();
            return ExitCodes.DONE;
        } catch (IOException e) {
            throw Refusal.configuration("--listen: " + e.getMessage());
        }
    }

    private static void end(HostAgent agent, Systemd systemd, CountDownLatch ended) {
        systemd.close();
        agent.close();
        ended.countDown();
    }

    private HostAgent.Access access(Surroundings around) {
        List<Listen> sockets = new ArrayList<>();
        for (String text : listens.isEmpty() ? List.of(PORT) : listens) {
            try {
                sockets.add(Listen.parse(text));
            } catch (IllegalArgumentException refused) {
                throw Refusal.usage("--listen: " + refused.getMessage());
            }
        }
        Optional<Listen> port =
                sockets.stream().filter(Listen.Tcp.class::isInstance).findFirst();
        if (port.isPresent() && rights == null) {
            throw Refusal.usage(
                    "--listen " + port.get()
                            + " needs --rights FILE, since every user of this machine reaches a port; or give --listen unix:/path");
        }
        return new HostAgent.Access(sockets, rights(around), HostAgent.ownUser());
    }

    private Optional<Rights> rights(Surroundings around) {
        if (rights == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Rights.of(rights, around::say));
        } catch (IllegalArgumentException refused) {
            throw Refusal.configuration("--rights: " + refused.getMessage());
        } catch (IOException unreadable) {
            throw Refusal.configuration("--rights " + rights + " cannot be read: " + unreadable.getMessage());
        }
    }

    private Timing timing() {
        if (lease.compareTo(Bounds.LEAST_TTL) < 0) {
            throw Refusal.configuration(
                    "--lease " + DurationText.format(lease) + " is shorter than owners live, which is "
                            + DurationText.format(Bounds.LEAST_TTL) + " at least: give a longer one");
        }
        try {
            return Timing.ofLease(lease);
        } catch (IllegalArgumentException unsafe) {
            throw Refusal.configuration("--lease: " + unsafe.getMessage());
        }
    }
}
