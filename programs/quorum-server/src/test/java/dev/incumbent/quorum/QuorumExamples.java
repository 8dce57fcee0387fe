package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.fuzz.Example;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Requests that a node understands, one of each kind at least, and the tokens that they show. None harms a quorum, however it is changed: each names elections, members and disks that do not count. */
final class QuorumExamples {
    private static final Map<Role, String> CORES = new EnumMap<>(Map.of(
            Role.NODE, "KxW9qLmZ", Role.OPERATOR, "Vb3TnQpR", Role.CANDIDATE, "Hd7YsJfC", Role.READER, "Gm5ZuXkE"));
    private static final List<String> CALLS = List.of(
            Line.of(Words.GRANT, "", "ada", "2000"),
            Line.of(Words.KEEP, "L0"),
            Line.of(Words.REVOKE, "L0"),
            Line.of(Words.SWAP, "fuzz/swapped", "", "nonce", "", "{\"v\":1}"),
            Line.of(Words.ENLIST, "fuzz/enlisted", "ada", "L0", "{}"),
            Line.of(Words.WITHDRAW, "fuzz/withdrawn", "ada"),
            Line.of(Words.READ, "fuzz/swapped", "fuzz/none"),
            Line.of(Words.CANDIDATES, "fuzz/enlisted"),
            Line.of(Words.ELECTIONS, "fuzz"),
            Words.CLOCK);

    private QuorumExamples() {}

    /** What stands in the token of a role, also where it is nearly right. */
    static List<String> cores() {
        return List.copyOf(CORES.values());
    }

    static String token(Role role) {
        return "token-" + CORES.get(role) + "-of-the-role";
    }

    static List<Example> all() {
        List<Example> all = new ArrayList<>(List.of(
                Example.of("GET", Health.LIVE, ""),
                Example.of("GET", Health.READY, ""),
                by(Role.READER, "GET", "/v1/status", ""),
                by(Role.READER, "GET", "/metrics", ""),
                by(Role.READER, "GET", "/v1/elections", ""),
                by(Role.READER, "GET", "/v1/elections/fuzz/swapped", ""),
                by(Role.READER, "POST", Words.WATCH, "SINCE\tw\t\t0\nALL\nADD\tfuzz/swapped\n"),
                by(Role.READER, "POST", Words.CALLS, Line.of(Words.READ, "fuzz/swapped") + "\n"),
                by(Role.OPERATOR, "POST", "/v1/transfer/nobody", ""),
                by(Role.NODE, "POST", "/v1/roll", "CLUSTER\tanother\nDISK\tnobody\t1\tdisk\t1\n"),
                by(Role.NODE, "POST", "/v1/rejoin", "nobody\tdisk\n"),
                by(Role.NODE, "POST", Levels.PATH, "BIND\tanother\t0\n"),
                by(Role.NODE, "POST", "/v1/passed-on", Line.of(Words.READ, "fuzz/swapped") + "\n")));
        CALLS.forEach(call -> all.add(by(Role.CANDIDATE, "POST", Words.CALLS, call + "\n")));
        all.add(by(Role.CANDIDATE, "POST", Words.CALLS, Line.body(CALLS)).withHeader("Incumbent-Within: 900"));
        return all;
    }

    private static Example by(Role role, String method, String path, String body) {
        return Example.by(token(role), method, path, body);
    }
}
