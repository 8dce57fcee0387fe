package dev.incumbent.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One token replaces another without a moment at which none is known. */
class TokenFileTest {
    @TempDir
    private Path folder;

    @Test
    void holdsTwoWhileOneReplacesTheOther() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "old\n");
        TokenFile tokens = TokenFile.of("the file", file);
        assertThat(tokens.now()).containsExactly("old");

        Files.writeString(file, " old \r\n\nnewer \n");
        assertThat(tokens.now()).containsExactly("old", "newer");

        Files.writeString(file, "newer\nold");
        assertThat(tokens.now()).containsExactly("newer", "old");

        Files.writeString(file, "newer");
        assertThat(tokens.now()).containsExactly("newer");
        assertThat(tokens).hasToString(file.toString());
    }

    @Test
    void whileItCannotBeUsedItHoldsWhatItHeldBefore() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "old");
        TokenFile tokens = TokenFile.of("the file", file);

        Files.writeString(file, "\n");
        assertThat(tokens.now()).containsExactly("old");
        Files.writeString(file, "one\ntwo\nthree");
        assertThat(tokens.now()).containsExactly("old");
        Files.delete(file);
        assertThat(tokens.now()).containsExactly("old");
    }

    @Test
    void whatHoldsNoTokenIsRefusedAndNotRepeated() throws IOException {
        assertRefused("\n \n", "the file is empty");
        assertRefused("hidden1\nhidden2\nhidden3\n", "the file holds 3 lines; it may hold two tokens, one a line");
        assertRefused("first\nhid\u0007den\n", "the file holds more than one line, or another control character");
        assertThatIOException().isThrownBy(() -> TokenFile.of("the file", folder.resolve("nothing")));
    }

    private void assertRefused(String text, String why) throws IOException {
        Path file = Files.writeString(folder.resolve("refused"), text);

        assertThatThrownBy(() -> TokenFile.of("the file", file))
                .isInstanceOf(UriException.class)
                .hasMessage(why);
    }
}
