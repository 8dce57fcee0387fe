package dev.incumbent.stonith;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which fence devices turn a node off, and in which order. The levels of a node are tried one after the other. All devices of a level must turn the node off and see it off; if one of them fails,
 * the next level is tried. Immutable.
 */
public final class FenceLevels {
    private final Map<String, List<List<FenceDevice>>> byNode;

    private FenceLevels(Map<String, List<List<FenceDevice>>> byNode) {
        this.byNode = Map.copyOf(byNode);
    }

    /** One device for each node. Throws an {@link IllegalArgumentException} if two of them turn off the same node. */
    public static FenceLevels of(List<FenceDevice> devices) {
        return of(devices, Map.of());
    }

    /**
     * Those devices in that order.
     *
     * @param topology nodes with several devices: node to levels, each of them the names of its devices
     * @throws IllegalArgumentException if two devices turn off a node whose order is not told, or if the order of a node does not name each device that turns it off, once
     */
    public static FenceLevels of(List<FenceDevice> devices, Map<String, List<List<String>>> topology) {
        Map<String, List<FenceDevice>> whose = new LinkedHashMap<>();
        devices.forEach(device -> device.plugs()
                .keySet()
                .forEach(node ->
                        whose.computeIfAbsent(node, any -> new ArrayList<>()).add(device)));
        Map<String, List<List<FenceDevice>>> levels = new LinkedHashMap<>();
        topology.forEach((node, names) -> levels.put(node, ordered(node, names, whose.getOrDefault(node, List.of()))));
        whose.forEach((node, its) -> {
            if (its.size() > 1 && !levels.containsKey(node)) {
                throw new IllegalArgumentException("node " + node + " is turned off by the fence devices "
                        + its.stream().map(FenceDevice::name).collect(Collectors.joining(" and "))
                        + ": name it in one of them, or give their order in [" + StonithFile.TOPOLOGY + "]");
            }
            levels.putIfAbsent(node, List.of(its));
        });
        return new FenceLevels(levels);
    }

    private static List<List<FenceDevice>> ordered(String node, List<List<String>> names, List<FenceDevice> its) {
        Map<String, FenceDevice> left =
                its.stream().collect(Collectors.toMap(FenceDevice::name, one -> one, (a, b) -> a, LinkedHashMap::new));
        List<List<FenceDevice>> levels = new ArrayList<>();
        for (List<String> level : names) {
            List<FenceDevice> all = new ArrayList<>();
            for (String name : level) {
                FenceDevice device = left.remove(name);
                if (device == null) {
                    throw new IllegalArgumentException("the order of node " + node + " names " + name
                            + ", which is there twice, or is no fence device that turns it off: those are "
                            + its.stream().map(FenceDevice::name).toList());
                }
                all.add(device);
            }
            levels.add(List.copyOf(all));
        }
        if (!left.isEmpty() || levels.isEmpty()) {
            throw new IllegalArgumentException("the order of node " + node + " does not name " + left.keySet()
                    + ": name each fence device that turns it off, once");
        }
        return List.copyOf(levels);
    }

    /** The levels of that node; none where no device turns it off. */
    List<List<FenceDevice>> of(String node) {
        return byNode.getOrDefault(node, List.of());
    }

    /** The nodes that are turned off, in order. */
    List<String> nodes() {
        return byNode.keySet().stream().sorted().toList();
    }

    /** How many levels the node has that has most of them. */
    public int most() {
        return byNode.values().stream().mapToInt(Collection::size).max().orElse(0);
    }

    /** All devices, each once. */
    public Set<FenceDevice> devices() {
        return byNode.values().stream()
                .flatMap(Collection::stream)
                .flatMap(Collection::stream)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
