package dev.incumbent.fuzz;

import java.util.Arrays;
import java.util.List;

/** The sorts of malformed requests. Each is made of an example that the server understands. */
public enum Sort {
    NOTHING(Sizes::nothing),
    EMPTY_LINES(Sizes::emptyLines),
    LONG_FIRST_LINE(Sizes::longFirstLine),
    LONG_HEADER(Sizes::longHeader),
    MANY_HEADERS(Sizes::manyHeaders),
    LONG_BODY(Sizes::longBody),
    LENGTH_TOO_GREAT(Sizes::lengthTooGreat),
    LENGTH_TOO_SMALL(Sizes::lengthTooSmall),
    LENGTH_OF_NO_SIZE(Sizes::lengthOfNoSize),
    TWO_LENGTHS(Sizes::twoLengths),
    LENGTH_AND_CHUNKS(Sizes::lengthAndChunks),
    TRUNCATED(Sizes::truncated),

    CHUNK_OF_NO_SIZE(Chunks::ofNoSize),
    CHUNK_TOO_LONG(Chunks::tooLong),
    CHUNK_CUT_OFF(Chunks::cutOff),
    CHUNK_EXTENSION(Chunks::extension),
    CHUNK_TRAILERS(Chunks::trailers),
    MANY_SMALL_CHUNKS(Chunks::manySmall),
    UNKNOWN_ENCODING(Chunks::unknownEncoding),

    DUPLICATE_HEADER(Headers::duplicate),
    NO_COLON(Headers::noColon),
    CONTROL_BYTE(Headers::controlByte),
    NO_ASCII(Headers::noAscii),
    LONG_NAME(Headers::longName),
    FOLDED_LINE(Headers::folded),
    CR_WITHOUT_LF(Headers::crWithoutLf),
    LF_WITHOUT_CR(Headers::lfWithoutCr),
    SPACE_BEFORE_COLON(Headers::spaceBeforeColon),
    NO_NAME(Headers::noName),
    BAD_HOST(Headers::badHost),
    BAD_NUMBER(Headers::badNumber),
    EXPECTATION(Headers::expectation),
    UPGRADE(Headers::upgrade),

    NO_TOKEN(Authorizations::none),
    WRONG_TOKEN(Authorizations::wrong),
    NEARLY_THE_TOKEN(Authorizations::nearly),
    TOKEN_WITH_JUNK(Authorizations::withJunk),
    TWO_AUTHORIZATIONS(Authorizations::two),
    OTHER_SCHEME(Authorizations::otherScheme),

    ENCODED_PATH(Paths::encoded),
    BAD_ESCAPE(Paths::badEscape),
    DOT_SEGMENTS(Paths::dotSegments),
    NUL_IN_PATH(Paths::nul),
    ABSOLUTE_FORM(Paths::absolute),
    NO_PATH(Paths::none),
    LONG_PATH(Paths::tooLong),
    UNKNOWN_PATH(Paths::unknown),
    OTHER_METHOD(Paths::otherMethod),
    BAD_METHOD(Paths::badMethod),
    BAD_VERSION(Paths::badVersion),
    BAD_FIRST_LINE(Paths::badFirstLine),

    NONSENSE_BODY(Bodies::nonsense),
    BODY_OF_BYTES(Bodies::ofBytes),
    BODY_CHANGED(Bodies::changed),
    LONG_FIELD(Bodies::longField),
    WRONG_NUMBER_OF_FIELDS(Bodies::wrongNumberOfFields),
    DEEP_BODY(Bodies::deep),
    BAD_UTF_8(Bodies::badUtf8),
    HUGE_NUMBER(Bodies::hugeNumber),
    MANY_LINES(Bodies::manyLines),

    HTTP_2(Protocols::http2),
    TLS_HELLO(Protocols::tlsHello),
    OTHER_PROTOCOL(Protocols::other),
    NOISE(Protocols::noise),
    PIPELINED(Protocols::pipelined),
    BITS_FLIPPED(Changes::bitsFlipped),
    BYTES_CHANGED(Changes::bytesChanged),

    /** Not malformed: the example itself, which may be hostile. */
    AS_IT_IS((dice, example) -> example.text());

    /** A reference to a static method, which holds no state; the checker cannot know that of an interface. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final Maker maker;

    Sort(Maker maker) {
        this.maker = maker;
    }

    /** Makes one of an example. */
    @FunctionalInterface
    interface Maker {
        String make(Dice dice, Example example);
    }

    /** All that malform. */
    public static List<Sort> malformed() {
        return Arrays.stream(values()).filter(sort -> sort != AS_IT_IS).toList();
    }

    String bytes(Dice dice, Example example) {
        return maker.make(dice, example);
    }

    /** Shows no token that is right: nobody may be served for it. */
    public boolean showsNoToken() {
        return switch (this) {
            case NO_TOKEN, WRONG_TOKEN, NEARLY_THE_TOKEN, TOKEN_WITH_JUNK, TWO_AUTHORIZATIONS, OTHER_SCHEME -> true;
            default -> false;
        };
    }
}
