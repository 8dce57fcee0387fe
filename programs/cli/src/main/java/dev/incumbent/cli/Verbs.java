package dev.incumbent.cli;

import dev.incumbent.cli.agent.Agent;
import dev.incumbent.cli.demo.Demo;
import dev.incumbent.cli.doctor.Doctor;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.cli.frame.VerbTable;
import dev.incumbent.cli.lab.LabScriptVerb;
import dev.incumbent.cli.lab.LabVerb;
import dev.incumbent.cli.operator.Cordon;
import dev.incumbent.cli.operator.Drain;
import dev.incumbent.cli.operator.FenceRetire;
import dev.incumbent.cli.operator.Freeze;
import dev.incumbent.cli.operator.Reconcile;
import dev.incumbent.cli.operator.Resign;
import dev.incumbent.cli.operator.StonithConfirm;
import dev.incumbent.cli.operator.StonithGroup;
import dev.incumbent.cli.operator.Thaw;
import dev.incumbent.cli.operator.Transfer;
import dev.incumbent.cli.operator.Uncordon;
import dev.incumbent.cli.peers.Peers;
import dev.incumbent.cli.peers.PeersFound;
import dev.incumbent.cli.reading.Check;
import dev.incumbent.cli.reading.History;
import dev.incumbent.cli.reading.Observe;
import dev.incumbent.cli.reading.Status;
import dev.incumbent.cli.reading.StonithList;
import dev.incumbent.cli.reading.Wait;
import dev.incumbent.cli.run.Run;
import dev.incumbent.cli.server.Server;
import dev.incumbent.cli.server.ServerChange;
import dev.incumbent.cli.server.ServerMembers;
import dev.incumbent.cli.server.ServerRestore;
import dev.incumbent.cli.server.SnapshotCheck;
import dev.incumbent.cli.server.SnapshotSave;
import dev.incumbent.cli.server.Snapshots;
import dev.incumbent.cli.simulate.Simulate;
import dev.incumbent.cli.simulate.SimulateCalm;
import dev.incumbent.cli.simulate.SimulateCanaries;
import dev.incumbent.cli.simulate.SimulateReplay;
import dev.incumbent.cli.simulate.SimulateRun;
import dev.incumbent.cli.simulate.SimulateShrink;
import dev.incumbent.cli.sinks.Fence;
import dev.incumbent.cli.sinks.FenceInstall;
import dev.incumbent.cli.sinks.FenceRaise;
import dev.incumbent.cli.sinks.FenceStatus;
import dev.incumbent.cli.sinks.Install;
import java.util.List;
import java.util.Optional;

/** The verbs of this program. A new one is one name and one case. */
final class Verbs implements VerbTable {
    @Override
    public List<String> names() {
        return List.of(
                "run",
                "status",
                "observe",
                "wait",
                "transfer",
                "resign",
                "drain",
                "cordon",
                "uncordon",
                "freeze",
                "thaw",
                "reconcile",
                "check",
                "history",
                "install",
                "fence",
                "fence install",
                "fence status",
                "fence raise",
                "fence retire",
                "stonith",
                "stonith list",
                "stonith confirm",
                "doctor",
                "simulate",
                "simulate run",
                "simulate replay",
                "simulate shrink",
                "simulate calm",
                "simulate canaries",
                "lab",
                "lab run",
                "demo",
                "agent",
                "server",
                "server snapshot",
                "server snapshot save",
                "server snapshot check",
                "server restore",
                "server members",
                "server change",
                "peers",
                "peers found",
                "completion");
    }

    @Override
    public Object make(String name) {
        return switch (name) {
            case "run" -> new Run();
            case "status" -> new Status();
            case "observe" -> new Observe();
            case "wait" -> new Wait();
            case "transfer" -> new Transfer();
            case "resign" -> new Resign();
            case "drain" -> new Drain();
            case "cordon" -> new Cordon();
            case "uncordon" -> new Uncordon();
            case "freeze" -> new Freeze();
            case "thaw" -> new Thaw();
            case "reconcile" -> new Reconcile();
            case "check" -> new Check();
            case "history" -> new History();
            case "install" -> new Install();
            case "fence" -> new Fence();
            case "fence install" -> new FenceInstall();
            case "fence status" -> new FenceStatus();
            case "fence raise" -> new FenceRaise();
            case "fence retire" -> new FenceRetire();
            case "stonith" -> new StonithGroup();
            case "stonith list" -> new StonithList();
            case "stonith confirm" -> new StonithConfirm();
            case "doctor" -> new Doctor();
            case "simulate" -> new Simulate();
            case "simulate run" -> new SimulateRun();
            case "simulate replay" -> new SimulateReplay();
            case "simulate shrink" -> new SimulateShrink();
            case "simulate calm" -> new SimulateCalm();
            case "simulate canaries" -> new SimulateCanaries();
            case "lab" -> new LabVerb();
            case "lab run" -> new LabScriptVerb();
            case "demo" -> new Demo();
            case "agent" -> new Agent();
            case "server" -> new Server();
            case "server snapshot" -> new Snapshots();
            case "server snapshot save" -> new SnapshotSave();
            case "server snapshot check" -> new SnapshotCheck();
            case "server restore" -> new ServerRestore();
            case "server members" -> new ServerMembers();
            case "server change" -> new ServerChange();
            case "peers" -> new Peers();
            case "peers found" -> new PeersFound();
            case "completion" -> new Completion();
            default -> throw new IllegalArgumentException("no verb '" + name + "'");
        };
    }

    @Override
    public Optional<Verb> plain(Surroundings around, String... args) {
        int verb = args.length > 2 && args[0].equals("--at") ? 2 : 0;
        return args.length > 0 && args[verb].equals("status") ? Status.plain(around, args) : Optional.empty();
    }
}
