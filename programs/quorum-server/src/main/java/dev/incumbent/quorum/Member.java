package dev.incumbent.quorum;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One node as all nodes are told of it: {@code n1=host:7400}, or {@code n1=host:7400/7401} where the port of the nodes' own traffic is not the next
 * one.
 *
 * @param port where clients and the other nodes speak HTTP to it
 * @param raftPort where the log is replicated
 */
public record Member(String name, String host, int port, int raftPort) {
    private static final Pattern TEXT =
            Pattern.compile("([A-Za-z0-9_-]{1,32})=(\\[[0-9a-fA-F:.]+]|[A-Za-z0-9._-]+):(\\d{1,5})(?:/(\\d{1,5}))?");

    public Member {
        if (port < 1 || port > 65_535 || raftPort < 1 || raftPort > 65_535 || port == raftPort) {
            throw new IllegalArgumentException("member " + name + " has the ports " + port + " and " + raftPort
                    + "; legal are 1 to 65535, two of them");
        }
    }

    /** The member of a text. */
    public static Member of(String text) {
        Matcher member = TEXT.matcher(text);
        if (!member.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no member; write NAME=HOST:PORT or NAME=HOST:PORT/RAFTPORT");
        }
        int port = Integer.parseInt(member.group(3));
        int raftPort = member.group(4) == null ? port + 1 : Integer.parseInt(member.group(4));
        return new Member(member.group(1), member.group(2).replaceAll("[\\[\\]]", ""), port, raftPort);
    }

    /** Where clients and the other nodes reach it. */
    public String address() {
        return at(port);
    }

    /** Where its log is replicated from and to. */
    String raftAddress() {
        return at(raftPort);
    }

    private String at(int where) {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + where;
    }

    @Override
    public String toString() {
        return name + "=" + address() + "/" + raftPort;
    }
}
