package dev.incumbent.stonith;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What turns some machines off, such as a power switch: by which program, with which options, for which nodes.
 *
 * @param name for people
 * @param options what the program reads on its standard input, in their order; may hold secrets, which are printed nowhere
 * @param plugs the nodes that it turns off: name to what the device calls the machine, or nothing where it needs no such name
 * @param plugOption the option by which the program is told the plug
 */
public record FenceDevice(
        String name, Program program, Map<String, String> options, Map<String, String> plugs, String plugOption) {
    /** What is run. */
    public sealed interface Program {}

    /** A fence agent of Pacemaker's, by its path: told by the option {@code action} what to do. */
    public record Agent(String path) implements Program {}

    /** Two lines for {@code sh -c}, which end as a fence agent's {@code off} and {@code status} do. */
    public record Commands(String off, String status) implements Program {}

    public FenceDevice {
        options = Collections.unmodifiableMap(new LinkedHashMap<>(checked(name, options)));
        plugs = Map.copyOf(plugs);
        if (plugs.isEmpty()) {
            throw new IllegalArgumentException("fence device " + name + " turns no node off: name at least one");
        }
    }

    private static Map<String, String> checked(String name, Map<String, String> options) {
        options.forEach((option, value) -> {
            boolean isName =
                    !option.isEmpty() && option.chars().allMatch(c -> c > ' ' && c != '=' && c != '#' && c < 0x7f);
            if (!isName || value.chars().anyMatch(Character::isISOControl)) {
                throw new IllegalArgumentException("fence device " + name + ": option '" + option
                        + "' has a name without blanks, '=' and '#', and a value without control characters");
            }
        });
        return options;
    }

    /** What the program reads for that action on that node. */
    Map<String, String> input(String action, String node) {
        Map<String, String> all = new LinkedHashMap<>(options);
        Optional.ofNullable(plugs.get(node))
                .filter(plug -> !plug.isEmpty())
                .ifPresent(plug -> all.put(plugOption, plug));
        all.put("nodename", node);
        all.put("action", action);
        return all;
    }

    /** Names the options and not their values. */
    @Override
    public String toString() {
        return "fence device " + name + " by " + program + " with " + options.keySet() + " for " + plugs.keySet();
    }
}
