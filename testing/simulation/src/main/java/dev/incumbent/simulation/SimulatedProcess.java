package dev.incumbent.simulation;

import dev.incumbent.internal.Ears;
import dev.incumbent.internal.ElectionRuntime;
import dev.incumbent.internal.ProcessSetup;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.ElectionName;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** One incarnation of one process on a machine: the shipped library, over failing links, until it is closed or dies. */
final class SimulatedProcess {
    private final Node node;
    private final Candidate candidate;
    private final Door door;
    private final ElectionRuntime runtime;
    private final Map<ElectionName, Player> players = new LinkedHashMap<>();
    private Optional<SimulatedBeats> beats = Optional.empty();
    private boolean alive = true;
    private boolean closing;
    private boolean ended;

    SimulatedProcess(World world, Node node, Candidate candidate) {
        this.node = node;
        this.candidate = candidate;
        this.door = new Door(world, this);
        ProcessSetup setup = new ProcessSetup(
                candidate,
                world.timing(),
                world.profile().movesAfter(),
                world.profile().spreads());
        this.runtime = ElectionRuntime.start(door, setup, new SimulatedPlatform(world, this), Ears.NONE);
        for (ElectionName election : world.elections()) {
            players.put(election, new Player(world, this, election));
        }
    }

    /** It hears others, and is heard, over those. */
    void hearsOver(SimulatedBeats connections) {
        beats = Optional.of(connections);
    }

    Node node() {
        return node;
    }

    Candidate candidate() {
        return candidate;
    }

    ElectionRuntime runtime() {
        return runtime;
    }

    Collection<Player> players() {
        return players.values();
    }

    Player player(ElectionName election) {
        return Optional.ofNullable(players.get(election)).orElseThrow();
    }

    /** Has it not died? One that has closed all elections has not, and its tasks may still run. */
    boolean isAlive() {
        return alive;
    }

    boolean isClosing() {
        return closing;
    }

    /** Does its program run? It ends once its library has ended and none of its tasks runs. */
    boolean runs() {
        return alive
                && !(ended
                        && players().stream().allMatch(player -> player.task().isEmpty()));
    }

    void begin() {
        players().forEach(Player::stand);
    }

    /** Its program ends all its elections, as it should before it ends. */
    void close(World world) {
        closing = true;
        players().forEach(Player::closes);
        world.promised(this, "closing all elections", runtime.closeAsync());
    }

    /** Its library has come to its end. Tasks may still run: they are the program's. */
    void ended() {
        ended = true;
        players().forEach(Player::closed);
        node.ended(this);
    }

    /** Alone, or with its machine. */
    void die(boolean withItsMachine) {
        alive = false;
        beats.ifPresent(it -> it.dies(withItsMachine));
        players().forEach(Player::die);
        door.close();
    }
}
