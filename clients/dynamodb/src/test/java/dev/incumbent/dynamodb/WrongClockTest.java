package dev.incumbent.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WrongClockTest {
    private static final String WRONG_SIGNATURE = "InvalidSignatureException";

    @Test
    void aRequestThatIsTooOldOrTooYoungIsToldFromAWrongSignature() {
        assertThat(
                        WrongClock.isTold(
                                WRONG_SIGNATURE,
                                "Signature expired: 20260101T120000Z is now earlier than 20260101T120100Z (20260101T120600Z - 5 min.)"))
                .isTrue();
        assertThat(
                        WrongClock.isTold(
                                WRONG_SIGNATURE,
                                "Signature not yet current: 20260101T120600Z is still later than 20260101T120500Z (20260101T120000Z + 5 min.)"))
                .isTrue();
        assertThat(WrongClock.isTold(
                        WRONG_SIGNATURE,
                        "The request signature we calculated does not match the signature you provided."))
                .isFalse();
    }

    @Test
    void codesThatNameTheTimeNeedNoWords() {
        assertThat(WrongClock.isTold("RequestTimeTooSkewed", "")).isTrue();
        assertThat(WrongClock.isTold("ExpiredTokenException", "The security token included in the request is expired"))
                .isFalse();
    }
}
