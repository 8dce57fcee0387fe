package dev.incumbent.stonith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a file of fence devices says, and what is wrong with one. */
class StonithFileTest {
    @TempDir
    private Path folder;

    @Test
    void sectionsAreDevicesWithPacemakersNames() throws Exception {
        List<FenceDevice> devices = read("rw-------", """
                # two machines
                [ipmi-1]
                agent = sh
                pcmk_host_list = ledger-1
                ip = 10.0.0.11
                password = a = b

                [ec2]
                off = aws-off "$INCUMBENT_HOLDER_NODE"
                status = aws-status
                pcmk_host_map = ledger-2:i-0a1b; ledger-3:i-0c2d
                pcmk_host_argument = plug
                """);

        assertThat(devices).extracting(FenceDevice::name).containsExactly("ipmi-1", "ec2");
        assertThat(devices.get(0).program()).isInstanceOf(FenceDevice.Agent.class);
        assertThat(devices.get(0).input("off", "ledger-1"))
                .containsEntry("password", "a = b")
                .containsEntry("nodename", "ledger-1")
                .doesNotContainKey("port");
        assertThat(devices.get(1).program())
                .isEqualTo(new FenceDevice.Commands("aws-off \"$INCUMBENT_HOLDER_NODE\"", "aws-status"));
        assertThat(devices.get(1).input("status", "ledger-3"))
                .containsEntry("plug", "i-0c2d")
                .containsEntry("action", "status");
    }

    @Test
    void aSecretThatEverybodyMayReadIsRefusedWithoutItsValue() {
        assertThatThrownBy(() -> read("rw-r--r--", "[a]\nagent = sh\npcmk_host_list = n\npasswd = hunter2\n"))
                .hasMessageEndingWith("has a secret, and everybody may read it: chmod o-r " + file())
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void withoutASecretEverybodyMayReadIt() throws Exception {
        assertThat(read("rw-r--r--", "[a]\nagent = sh\npcmk_host_list = n\nlanplus = 1\n"))
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                                                | has no fence device
            agent = sh                                        | line 1 is in no section
            [a];agent                                         | line 2 is no 'name = value'
            [a];agent = sh;agent = sh                         | line 3: agent is there twice in its section
            [a];agent = sh;[a]                                | line 3: section [a] is there twice
            [a];agent = sh                                    | [a] names no node
            [a];off = x;pcmk_host_list = n                    | [a] has either 'agent', or both 'off' and 'status'
            [a];agent = sh;off = x;pcmk_host_list = n         | [a] has either 'agent', or both 'off' and 'status'
            [a];agent = no-such-agent;pcmk_host_list = n      | [a]: there is no program no-such-agent in
            [a];agent = sh;pcmk_host_map = n                  | [a]: pcmk_host_map has node:plug, and not 'n'
            [a];agent = sh;pcmk_host_list = n;pcmk_reboot_action = off | [a]: pcmk_reboot_action is not known here
            [a];agent = sh;pcmk_host_list = n;action = reboot | [a]: action is told by incumbent itself
            """)
    void whatIsWrongIsNamed(String lines, String why) {
        assertThatThrownBy(() -> read("rw-------", lines.replace(';', '\n') + "\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(file() + " " + why);
    }

    private Path file() {
        return folder.resolve("stonith.conf");
    }

    private List<FenceDevice> read(String permissions, String text) throws Exception {
        Files.writeString(file(), text);
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString(permissions));
        return StonithFile.read(file());
    }
}
