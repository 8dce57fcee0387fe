package dev.incumbent.cli.frame;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of a member of a group of peers; each may stand in the URI of {@code --at} as well. */
public final class MemberFlags {
    @Option(
            names = "--me",
            paramLabel = "HOST[:PORT]",
            description = "With --at peers+raft://…: which of its members this process is.")
    private @Nullable String me;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "With --at peers+raft://…: the folder of this member's term and vote.")
    private @Nullable Path data;

    /** Refused without a group. */
    public void requirePeers(boolean isPeers) {
        if (!isPeers && (me != null || data != null)) {
            throw Refusal.usage(
                    "--me and --data are for members of a group: --at peers+raft://HOST:PORT,HOST:PORT,HOST:PORT");
        }
    }

    /** The URI of a group, with what these flags say. */
    public String in(String uri) {
        String whole = uri;
        whole = me == null ? whole : with(whole, "me", me);
        return data == null ? whole : with(whole, "data", data.toString());
    }

    private static String with(String uri, String name, String value) {
        return uri + (uri.indexOf('?') < 0 ? '?' : '&') + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
