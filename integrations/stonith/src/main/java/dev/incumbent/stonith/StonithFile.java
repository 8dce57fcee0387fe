package dev.incumbent.stonith;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The file that says which fence device turns which node off: a section for each device, with the names that Pacemaker has for them.
 *
 * <pre>{@code
 * [ipmi-1]
 * agent = fence_ipmilan
 * pcmk_host_list = ledger-1
 * ip = 10.0.0.11
 * username = admin
 * password = …
 *
 * [network]
 * off = ssh switch-1 port-down "$INCUMBENT_HOLDER_NODE"
 * status = ssh switch-1 port-status "$INCUMBENT_HOLDER_NODE"
 * pcmk_host_list = ledger-2 ledger-3
 * }</pre>
 *
 * <p>A node with several devices has a line in the section {@code [fencing_topology]}, {@code NODE = DEVICES}: devices apart by blanks are tried one after the other, and of those apart by commas all
 * must turn the node off.
 *
 * <p>A section has either {@code agent}, or {@code off} and {@code status}. {@code pcmk_host_list} has names of nodes, {@code pcmk_host_map} has {@code node:plug}, apart by blanks or semicolons;
 * {@code pcmk_host_argument} is the option by which the plug is told ({@code port}). All other names are options, which the program reads on its standard input.
 */
public final class StonithFile {
    /** The section with the order of devices, as Pacemaker's {@code crm} calls it. */
    static final String TOPOLOGY = "fencing_topology";

    private static final int LONGEST = 262_144;
    private static final Set<String> OWN =
            Set.of("agent", "off", "status", "pcmk_host_list", "pcmk_host_map", "pcmk_host_argument");
    private static final List<String> SYSTEM_FOLDERS = List.of("/usr/sbin", "/sbin", "/usr/bin", "/bin");

    private final Path file;

    private StonithFile(Path file) {
        this.file = file;
    }

    /**
     * The devices of that file. Throws an {@link IllegalArgumentException}, which tells no value, where it cannot be used: where others than its owner and group may read it, too, and it has a
     * secret.
     */
    public static List<FenceDevice> read(Path file) {
        StonithFile all = new StonithFile(file);
        return all.devices(all.sections());
    }

    /** The devices of that file in their order, for {@link ProgramFenceAgent}. Throws as {@link #read} does, and where the order of a node does not name its devices. */
    public static FenceLevels levels(Path file) {
        StonithFile all = new StonithFile(file);
        Map<String, Map<String, String>> sections = all.sections();
        List<FenceDevice> devices = all.devices(sections);
        Map<String, List<List<String>>> topology = new LinkedHashMap<>();
        sections.forEach((name, lines) -> {
            if (isTopology(name, lines)) {
                lines.forEach((node, order) -> topology.put(node, order(order)));
            }
        });
        try {
            return FenceLevels.of(devices, topology);
        } catch (IllegalArgumentException unclear) {
            throw all.refusal(String.valueOf(unclear.getMessage()));
        }
    }

    /** A device may be called so, too, as one of a file of before may be. */
    private static boolean isTopology(String name, Map<String, String> lines) {
        return name.equals(TOPOLOGY) && !lines.containsKey("agent") && !lines.containsKey("off");
    }

    private static List<List<String>> order(String text) {
        return Stream.of(text.replaceAll("\\s*,\\s*", ",").split("\\s+"))
                .filter(level -> !level.isEmpty())
                .map(level -> List.of(level.split(",")))
                .toList();
    }

    private List<FenceDevice> devices(Map<String, Map<String, String>> sections) {
        List<FenceDevice> devices = new ArrayList<>();
        sections.forEach((name, settings) -> {
            if (!isTopology(name, settings)) {
                devices.add(device(name, settings));
            }
        });
        if (devices.isEmpty()) {
            throw refusal("has no fence device: begin one by a line such as [ipmi-1]");
        }
        boolean hasSecret = devices.stream()
                .flatMap(device -> device.options().keySet().stream())
                .anyMatch(OutputTail::isSecret);
        if (hasSecret && isReadByAll()) {
            throw refusal("has a secret, and everybody may read it: chmod o-r " + file);
        }
        return devices;
    }

    private boolean isReadByAll() {
        try {
            return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ);
        } catch (IOException unread) {
            throw refusal("cannot be read: " + unread);
        }
    }

    private Map<String, Map<String, String>> sections() {
        Map<String, Map<String, String>> sections = new LinkedHashMap<>();
        Optional<Map<String, String>> section = Optional.empty();
        int number = 0;
        for (String whole : lines()) {
            number++;
            String line = whole.strip();
            if (line.isEmpty() || line.startsWith("#") || line.startsWith(";")) {
                continue;
            }
            if (line.startsWith("[") && line.endsWith("]")) {
                Map<String, String> begun = new LinkedHashMap<>();
                String name = line.substring(1, line.length() - 1).strip();
                if (name.isEmpty() || sections.putIfAbsent(name, begun) != null) {
                    throw refusal("line " + number + ": section [" + name + "] "
                            + (name.isEmpty() ? "has no name" : "is there twice"));
                }
                section = Optional.of(begun);
                continue;
            }
            int equals = line.indexOf('=');
            if (equals < 1 || section.isEmpty()) {
                throw refusal("line " + number
                        + (equals < 1
                                ? " is no 'name = value'"
                                : " is in no section: put a line such as [ipmi-1] before it"));
            }
            String name = line.substring(0, equals).strip();
            if (section.get().putIfAbsent(name, line.substring(equals + 1).strip()) != null) {
                throw refusal("line " + number + ": " + name + " is there twice in its section");
            }
        }
        return sections;
    }

    private List<String> lines() {
        try {
            if (Files.size(file) > LONGEST) {
                throw refusal("has " + Files.size(file) + " bytes, and at most " + LONGEST);
            }
            return Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (IOException unread) {
            throw refusal("cannot be read: " + unread);
        }
    }

    private FenceDevice device(String name, Map<String, String> settings) {
        Map<String, String> options = new LinkedHashMap<>(settings);
        options.keySet().removeAll(OWN);
        for (String option : options.keySet()) {
            if (option.startsWith("pcmk_") || option.equals("action") || option.equals("nodename")) {
                throw refusal("[" + name + "]: " + option
                        + (option.startsWith("pcmk_")
                                ? " is not known here; of Pacemaker's own settings these are: pcmk_host_list, pcmk_host_map, pcmk_host_argument"
                                : " is told by incumbent itself: leave it out"));
            }
        }
        FenceDevice.Program program = program(name, settings);
        Map<String, String> plugs = plugs(name, settings);
        String plugOption = settings.getOrDefault("pcmk_host_argument", "port");
        try {
            return new FenceDevice(name, program, options, plugs, plugOption);
        } catch (IllegalArgumentException none) {
            throw refusal(String.valueOf(none.getMessage()));
        }
    }

    private FenceDevice.Program program(String name, Map<String, String> settings) {
        String agent = settings.getOrDefault("agent", "");
        String off = settings.getOrDefault("off", "");
        String status = settings.getOrDefault("status", "");
        if (agent.isEmpty() == (off.isEmpty() || status.isEmpty()) || (!agent.isEmpty() && !(off + status).isEmpty())) {
            throw refusal("[" + name + "] has either 'agent', or both 'off' and 'status'");
        }
        return agent.isEmpty() ? new FenceDevice.Commands(off, status) : new FenceDevice.Agent(found(name, agent));
    }

    /** As Pacemaker's, agents are in {@code /usr/sbin}, which a user's path may lack. */
    private String found(String name, String agent) {
        if (agent.startsWith("/")) {
            return executable(Path.of(agent))
                    .orElseThrow(
                            () -> refusal("[" + name + "]: " + agent + " is no program that this process may run"));
        }
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.concat(Stream.of(path.split(File.pathSeparator)), SYSTEM_FOLDERS.stream())
                .filter(folder -> folder.startsWith("/"))
                .flatMap(folder -> executable(Path.of(folder, agent)).stream())
                .findFirst()
                .orElseThrow(() -> refusal("[" + name + "]: there is no program " + agent + " in " + path + " or "
                        + SYSTEM_FOLDERS + ": install it, such as by the package fence-agents, or give its path"));
    }

    private static Optional<String> executable(Path path) {
        return Files.isRegularFile(path) && Files.isExecutable(path) ? Optional.of(path.toString()) : Optional.empty();
    }

    private Map<String, String> plugs(String name, Map<String, String> settings) {
        Map<String, String> plugs = new LinkedHashMap<>();
        for (String node : words(settings.getOrDefault("pcmk_host_list", ""))) {
            plugs.put(node, "");
        }
        for (String pair : words(settings.getOrDefault("pcmk_host_map", ""))) {
            int colon = pair.indexOf(':');
            if (colon < 1 || colon == pair.length() - 1) {
                throw refusal("[" + name + "]: pcmk_host_map has node:plug, and not '" + pair + "'");
            }
            plugs.put(pair.substring(0, colon), pair.substring(colon + 1));
        }
        if (plugs.isEmpty()) {
            throw refusal("[" + name + "] names no node: add pcmk_host_list = NODE, or pcmk_host_map = NODE:PLUG");
        }
        return plugs;
    }

    private static List<String> words(String text) {
        return Stream.of(text.split("[\\s;,]+")).filter(word -> !word.isEmpty()).toList();
    }

    private IllegalArgumentException refusal(String why) {
        return new IllegalArgumentException(file + " " + why);
    }
}
