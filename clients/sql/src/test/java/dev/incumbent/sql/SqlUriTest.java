package dev.incumbent.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.wire.UriException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlUriTest {
    @ParameterizedTest
    @CsvSource({
        "postgresql://h/db, POSTGRES, jdbc:postgresql://h/db, postgresql://h/db",
        "jdbc:postgres://h:1/db, POSTGRES, jdbc:postgresql://h:1/db, postgres://h:1/db",
        "postgresql://h, POSTGRES, jdbc:postgresql://h/, postgresql://h/",
        "postgresql://h/a%2Fb, POSTGRES, jdbc:postgresql://h/a%2Fb, postgresql://h/a%2Fb",
        "'postgresql://u:p@h1:1,h2/db', POSTGRES, 'jdbc:postgresql://h1:1,h2/db', 'postgresql://h1:1,h2/db'",
        "mysql://u:p@h/db?a=b, MARIADB, jdbc:mariadb://h/db, mysql://h/db",
        "jdbc:h2:file:/a/b, H2, jdbc:h2:file:/a/b, jdbc:h2:file:/a/b",
        "jdbc:h2:/a@b;user=sa;WRITE_DELAY=0;PassWord=p;X=1, H2, jdbc:h2:/a@b;WRITE_DELAY=0;X=1, jdbc:h2:/a@b"
    })
    void aUriNamesADatabaseForTheDriverAndForPeople(String uri, SqlUri.Kind kind, String url, String label) {
        SqlUri read = parse(uri);

        assertThat(read.kind()).isEqualTo(kind);
        assertThat(read.url()).isEqualTo(url);
        assertThat(read).hasToString(label);
        assertThat(read.label()).isEqualTo(label);
    }

    @Test
    void credentialsAndParametersAreTheDriversProperties() {
        assertThat(parse("postgresql://an%40a:p%3A%2Fw@h/db?sslmode=require&currentSchema=a%26b")
                        .properties())
                .isEqualTo(Map.of("user", "an@a", "password", "p:/w", "sslmode", "require", "currentSchema", "a&b"));
        assertThat(parse("postgresql://ann:one@h/db?user=bob&password=two").properties())
                .isEqualTo(Map.of("user", "bob", "password", "two"));
        assertThat(parse("postgresql://ann@h/db").properties()).isEqualTo(Map.of("user", "ann"));
        assertThat(parse("jdbc:h2:/a;USER=sa;PASSWORD=a=b;X=1").properties())
                .isEqualTo(Map.of("user", "sa", "password", "a=b"));
        assertThat(parse("jdbc:h2:/a").properties()).isEmpty();
    }

    /** PostgreSQL's driver takes the first host that answers, a standby too, unless it is told otherwise. */
    @Test
    void ofSeveralHostsOfPostgresTheOneThatTakesWritesIsMeant() {
        assertThat(parse("postgresql://h1,h2/db").withPrimary()).containsEntry("targetServerType", "primary");
        assertThat(parse("postgresql://h1,h2/db?targetServerType=any").withPrimary())
                .containsEntry("targetServerType", "any");
        assertThat(parse("postgresql://h/a,b").withPrimary("x", "y")).isEqualTo(Map.of("x", "y"));
        assertThat(parse("mariadb://h1,h2/db").withPrimary()).isEmpty();
    }

    @Test
    void whatTheUriLeavesOutComesFromTheEnvironmentOfItsDatabase() {
        Map<String, String> environment =
                Map.of("PGUSER", "pg", "PGPASSWORD", "one", "MYSQL_USER", "my", "MYSQL_PWD", "two");

        assertThat(SqlUri.parse("postgresql://h/db", name -> Optional.ofNullable(environment.get(name)))
                        .orElseThrow()
                        .properties())
                .isEqualTo(Map.of("user", "pg", "password", "one"));
        assertThat(SqlUri.parse("postgresql://ann@h/db", name -> Optional.ofNullable(environment.get(name)))
                        .orElseThrow()
                        .properties())
                .isEqualTo(Map.of("user", "ann", "password", "one"));
        assertThat(SqlUri.parse("mariadb://h/db", name -> Optional.ofNullable(environment.get(name)))
                        .orElseThrow()
                        .properties())
                .isEqualTo(Map.of("user", "my", "password", "two"));
        assertThat(SqlUri.parse("mariadb://h/db", name -> Optional.of(""))
                        .orElseThrow()
                        .properties())
                .isEmpty();
    }

    @Test
    void furtherSettingsYieldToWhatTheUriSays() {
        SqlUri uri = parse("postgresql://h/db?connectTimeout=7");

        assertThat(uri.with("connectTimeout", "1", "socketTimeout", "2"))
                .isEqualTo(Map.of("connectTimeout", "7", "socketTimeout", "2"));
        assertThat(uri.properties()).isEqualTo(Map.of("connectTimeout", "7"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://u:SEC/RET@h/db",
                "postgresql://u:SEC?RET@h/db",
                "postgresql://u:SEC#RET@h/db",
                "mariadb://u:SEC%RET@h/db",
                "mariadb://u:SECRET@h",
                "mysql://u:SECRET@h/",
                "postgresql://u:SECRET@/db",
                "postgresql://h/db?password=SEC@RET",
                "postgresql://h/db?password=SECRET&password=SECRET",
                "postgresql://h/db?SECRET",
                "postgresql://h/db?password=SEC%RET"
            })
    void whatCannotBeReadIsRefusedWithoutItsSecrets(String uri) {
        assertThatThrownBy(() -> parse(uri)).isInstanceOf(UriException.class).hasMessageNotContainingAny("SEC", "RET");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:sqlite:c.db", "file:c.db", "jdbc:oracle:thin:h", "postgresql:h", "jdbc:h2:", "h2:/a"})
    void whatIsNoSuchDatabasesIsLeftToOthers(String uri) {
        assertThat(SqlUri.parse(uri, name -> Optional.empty())).isEmpty();
    }

    private static SqlUri parse(String uri) {
        return SqlUri.parse(uri, name -> Optional.empty()).orElseThrow();
    }
}
