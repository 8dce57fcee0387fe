package dev.incumbent.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretFileTest {
    @TempDir
    private Path folder;

    @Test
    void saysWhatItsFileSaysNow() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), " first\n");
        SecretFile secret = SecretFile.of(file);
        assertThat(secret.now()).isEqualTo("first");

        Files.writeString(file, "the second\r\n");
        assertThat(secret.now()).isEqualTo("the second");

        Path next = Files.writeString(folder.resolve("next"), "the third!");
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        assertThat(secret.now()).isEqualTo("the third!");
        assertThat(secret).hasToString(file.toString());
    }

    @Test
    void whileItIsWrittenItSaysWhatItSaidBefore() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "first");
        SecretFile secret = SecretFile.of(file);

        Files.writeString(file, "");
        assertThat(secret.now()).isEqualTo("first");
        Files.delete(file);
        assertThat(secret.now()).isEqualTo("first");
        Files.writeString(file, "second");
        assertThat(secret.now()).isEqualTo("second");
    }

    @Test
    void whatNoHeaderCanCarryIsRefusedAndNotRepeated() throws IOException {
        Path two = Files.writeString(folder.resolve("two"), "first\nhidden\n");
        Path file = Files.writeString(folder.resolve("token"), "first");
        SecretFile secret = SecretFile.of(file);

        assertThatIOException()
                .isThrownBy(() -> SecretFile.of(two))
                .withMessage("it holds more than one line, or another control character");
        Files.writeString(file, "second\nhidden");
        assertThat(secret.now()).isEqualTo("first");
        assertThat(Secret.in("THE_VARIABLE", "\ttoken \r\n")).isEqualTo("token");
        assertThatThrownBy(() -> Secret.in("THE_VARIABLE", "hid\u0007den"))
                .isInstanceOf(UriException.class)
                .hasMessage("THE_VARIABLE holds more than one line, or another control character");
        assertThatThrownBy(() -> Secret.in("THE_VARIABLE", " \n")).hasMessage("THE_VARIABLE is empty");
    }

    @Test
    void whatIsNotThereOrEmptyAtFirstIsRefused() throws IOException {
        Path empty = Files.writeString(folder.resolve("empty"), "\n");

        assertThatIOException().isThrownBy(() -> SecretFile.of(empty)).withMessage("it is empty");
        assertThatIOException().isThrownBy(() -> SecretFile.of(folder.resolve("nothing")));
    }
}
