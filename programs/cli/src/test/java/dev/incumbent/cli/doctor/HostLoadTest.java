package dev.incumbent.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostLoadTest {
    @TempDir
    Path proc;

    private HostLoad told(String avg10) throws IOException {
        Files.createDirectories(proc.resolve("pressure"));
        Files.writeString(
                proc.resolve("pressure/cpu"),
                "some avg10=" + avg10
                        + " avg60=1.00 avg300=1.00 total=5\nfull avg10=99.00 avg60=0.00 avg300=0.00 total=0\n");
        return new HostLoad(proc);
    }

    @ParameterizedTest
    @CsvSource({"0.00, WELL", "49.99, WELL", "50.00, WRONG", "87.31, WRONG"})
    void aCoordinatorWhoseHostIsShortOfProcessorsIsAFinding(String avg10, Finding.Kind kind) throws IOException {
        assertThat(told(avg10).findings("etcd://localhost:2379"))
                .singleElement()
                .satisfies(found -> {
                    assertThat(found.kind()).isEqualTo(kind);
                    assertThat(found.sentence())
                            .contains("in " + Math.round(Double.parseDouble(avg10)) + " % of the last ten");
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:/var/lib/x.db",
                "jdbc:sqlite:x.db",
                "zk://127.0.0.1:2181,10.0.0.1:2181/x",
                "zk://10.0.0.1:2181,127.0.0.1/x",
                "redis://user:pw@localhost",
                "jdbc:postgresql://[::1]:5432/x"
            })
    void aCoordinatorOnThisMachineIsJudged(String uri) throws IOException {
        assertThat(told("87.31").findings(uri)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "etcd://db.example:2379",
                "etcd://localhost.example:2379",
                "etcd://10.127.0.0.1:2379",
                "dynamodb://table?region=eu-central-1",
                "k8s:elections"
            })
    void aCoordinatorElsewhereIsNot(String uri) throws IOException {
        assertThat(told("87.31").findings(uri)).isEmpty();
    }

    @Test
    void aKernelThatDoesNotTellIsNoFinding() {
        assertThat(new HostLoad(proc).findings("file:x.db")).isEmpty();
    }
}
