package dev.incumbent.simulation;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Mark;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Tells a watcher what happens in a world. It inspects nothing, and changes nothing. */
final class WatchedWorld extends Inspector implements Onlooker {
    private final WorldWatcher watcher;
    private final boolean[] up;
    private final boolean[] still;
    private final boolean[] leads;

    private WatchedWorld(World world, WorldWatcher watcher) {
        super(world);
        this.watcher = watcher;
        int machines = world.nodes().size();
        this.up = new boolean[machines];
        this.still = new boolean[machines];
        this.leads = new boolean[machines];
    }

    static void watch(World world, WorldWatcher watcher, List<Fault> faults) {
        WatchedWorld watched = new WatchedWorld(world, watcher);
        world.inspectors().add(watched);
        List<String> places = new ArrayList<>();
        world.nodes().forEach(node -> places.add("n" + node.index()));
        places.add("store");
        world.sinks().forEach(sink -> places.add(sink.id().value()));
        int machines = world.nodes().size();
        watcher.begins(places, machines, faults);
        for (Node node : world.nodes()) {
            node.toStore().tells(takes -> watcher.sent(world.now(), node.index(), machines, takes));
            node.fromStore().tells(takes -> watcher.sent(world.now(), machines, node.index(), takes));
            node.toSinks().tells(takes -> watcher.sent(world.now(), node.index(), machines + 1, takes));
            node.fromSinks().tells(takes -> watcher.sent(world.now(), machines + 1, node.index(), takes));
        }
    }

    @Override
    public void believed(List<Belief> beliefs) {
        ElectionName first = world().elections().get(0);
        for (Node node : world().nodes()) {
            boolean now = beliefs.stream()
                    .anyMatch(belief -> belief.player().node() == node
                            && belief.player().election().equals(first));
            if (now != leads[node.index()]) {
                leads[node.index()] = now;
                watcher.believes(world().now(), node.index(), now);
            }
        }
        look();
    }

    @Override
    void sampled() {
        look();
    }

    @Override
    void begun(Begun begun) {
        mark(begun.leader() + " begins term " + begun.term() + " of " + begun.election());
    }

    @Override
    void ended(Begun begun, EndReason reason) {
        mark("term " + begun.term() + " of " + begun.election() + " ends: "
                + reason.name().toLowerCase(Locale.ROOT).replace('_', ' '));
    }

    @Override
    void raised(SinkModel sink, ElectionName election, Optional<Mark> before, Mark after) {
        mark(sink.id() + " takes the mark " + after);
    }

    @Override
    void restored() {
        mark("the store goes back to what it was");
    }

    @Override
    void wentBack(SinkModel sink) {
        mark(sink.id() + " goes back to what it was");
    }

    private void look() {
        for (Node node : world().nodes()) {
            int index = node.index();
            if (node.isUp() != up[index]) {
                up[index] = node.isUp();
                watcher.isUp(world().now(), index, up[index]);
            }
            if (node.clock().isPaused() != still[index]) {
                still[index] = node.clock().isPaused();
                watcher.pauses(world().now(), index, still[index]);
            }
        }
    }

    private void mark(String what) {
        watcher.mark(world().now(), what);
    }
}
