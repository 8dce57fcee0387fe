package dev.incumbent.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.wire.UriException;
import dev.incumbent.zookeeper.ZooKeeperUri;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.zookeeper.common.PathUtils;
import org.junit.jupiter.api.Test;

/** The client of ZooKeeper's addresses has no library; what it takes for a node's path is what ZooKeeper's own check takes. */
final class RootTest {
    @Test
    void everyCharacterIsTakenOrRefusedAsZooKeeperDoes() {
        List<String> paths = IntStream.rangeClosed(0, Character.MAX_VALUE)
                .filter(c -> !Character.isSurrogate((char) c) && c != '/')
                .mapToObj(c -> "/apps/a" + (char) c + "b")
                .toList();

        assertThat(paths).hasSizeGreaterThan(60_000).allSatisfy(RootTest::assertAlike);
    }

    @Test
    void relativeNamesAreTakenOrRefusedAsZooKeeperDoes() {
        for (String path :
                List.of("/a", "/a/b", "/a//b", "/./a", "/a/..", "/a/../b", "/.a", "/a.", "/...", "/a/.b/c")) {
            assertAlike(path);
        }
    }

    private static void assertAlike(String path) {
        assertThat(isTaken(path)).as(path).isEqualTo(isLegal(path));
    }

    private static boolean isTaken(String path) {
        String written = URLEncoder.encode(path, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
        try {
            return ZooKeeperUri.parse("zk://h" + written, Map.of()).root().equals(path);
        } catch (UriException refused) {
            return false;
        }
    }

    private static boolean isLegal(String path) {
        try {
            PathUtils.validatePath(path);
            return true;
        } catch (IllegalArgumentException refused) {
            return false;
        }
    }
}
