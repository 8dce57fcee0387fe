package dev.incumbent.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.wire.UriException;
import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DynamoDbUriTest {
    @Test
    void aTableAloneIsEnough() {
        assertThat(DynamoDbUri.parse("dynamodb://app"))
                .isEqualTo(new DynamoDbUri("app", Optional.empty(), Optional.empty(), Optional.empty()))
                .isEqualTo(DynamoDbUri.parse("dynamodb://app/"));
    }

    @Test
    void everyParameterIsTaken() {
        assertThat(DynamoDbUri.parse(
                        "dynamodb://My_table.1-x?region=eu-west-1&endpoint=http://127.0.0.1:8000&profile=ops%2Fa"))
                .isEqualTo(new DynamoDbUri(
                        "My_table.1-x",
                        Optional.of("eu-west-1"),
                        Optional.of(URI.create("http://127.0.0.1:8000")),
                        Optional.of("ops/a")));
        assertThat(DynamoDbUri.parse("dynamodb://app?endpoint=https%3A%2F%2Fdynamodb.example%2F")
                        .endpoint())
                .contains(URI.create("https://dynamodb.example/"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "dynamodb:app | is no URI such as SCHEME://HOST:PORT/PATH",
                "dynamo://app | it names a table alone",
                "dynamodb://me@app | it names a table alone",
                "dynamodb://:s3cr3t@app | it names a table alone",
                "dynamodb:// | '' is no table's name",
                "dynamodb://ab | 'ab' is no table's name",
                "dynamodb://app:8000 | 'app:8000' is no table's name",
                "dynamodb://app,other | 'app,other' is no table's name",
                "dynamodb://app/prefix | 'app/prefix' is no table's name",
                "dynamodb://app?region=EU | 'EU' is no region",
                "dynamodb://app?region= | the parameter region has no value",
                "dynamodb://app?endpoint=127.0.0.1:8000 | its endpoint is no URL",
                "dynamodb://app?endpoint=ftp://h | its endpoint is no URL",
                "dynamodb://app?endpoint=http:///x | its endpoint is no URL",
                "dynamodb://app?endpoint=http://me:s3cr3t%40h | its endpoint is no URL",
                "dynamodb://app?endpoint=http%3A%2F%2Fme:s3cr3t%40h | its endpoint is no URL",
                "dynamodb://app?endpoint=http://[s3cr3t | its endpoint is no URL",
                "dynamodb://app?regoin=eu-west-1 | 'regoin' is unknown; known are region, endpoint, profile",
                "dynamodb://app?token=s3cr3t | 'token' is unknown",
                "dynamodb://app?region=eu-west-1&region=eu-west-1 | stands in it twice",
            })
    void whatIsNotUnderstoodIsRefusedInASentenceWithoutSecrets(String uri, String why) {
        assertThatThrownBy(() -> DynamoDbUri.parse(uri))
                .isInstanceOf(UriException.class)
                .hasMessageContaining(why)
                .message()
                .doesNotContain("s3cr3t");
    }
}
