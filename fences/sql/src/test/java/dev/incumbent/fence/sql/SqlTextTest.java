package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fence.sql.SqlText.Effect;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How text is read: each database has comments and quotes of its own. */
class SqlTextTest {
    @ParameterizedTest
    @EnumSource
    void blanksCommentsAndBracketsBeforeTheFirstWordAreNoneOfIt(Lexis lexis) {
        assertThat(SqlText.of(" \t\n-- a comment\n/* select */ (SELECT 1)", lexis)
                        .firstWord())
                .isEqualTo("select");
        assertThat(SqlText.of("{? = call f()}", lexis).firstWord()).isEqualTo("call");
        assertThat(SqlText.of(" -- nothing", lexis).statements()).isEmpty();
        assertThat(SqlText.of("", lexis).firstWord()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aSemicolonEndsAStatementUnlessItIsQuotedOrInAComment(Lexis lexis) {
        SqlText text = SqlText.of(
                "INSERT INTO t VALUES ('a;''b', \"c;d\") -- ;truncate\n; /* ;drop */ update t set a = 1;;", lexis);

        assertThat(text.statements())
                .containsExactly(List.of("insert", "into", "t", "values"), List.of("update", "t", "set", "a"));
        assertThat(text.isCertain()).isTrue();
    }

    @Test
    void eachDatabaseHasItsOwnComments() {
        assertThat(words("# select\ntruncate t", Lexis.MARIADB)).isEqualTo("truncate");
        assertThat(words("--select\ntruncate t", Lexis.MARIADB)).isEqualTo("select");
        assertThat(words("--\tselect\ntruncate t", Lexis.MARIADB)).isEqualTo("truncate");
        assertThat(words("// select\ntruncate t", Lexis.H2)).isEqualTo("truncate");
        assertThat(words("--select\ntruncate t", Lexis.POSTGRES)).isEqualTo("truncate");
        assertThat(words("/* /* */ select */ commit", Lexis.POSTGRES)).isEqualTo("commit");
        assertThat(words("/* /* */ select */ commit", Lexis.H2)).isEqualTo("commit");
        assertThat(words("/* /* */ select 1", Lexis.MARIADB)).isEqualTo("select");
        assertThat(words("/* /* */ select 1", Lexis.SQLITE)).isEqualTo("select");
    }

    @Test
    void eachDatabaseHasItsOwnQuotes() {
        assertThat(SqlText.of("select 'a\\'; truncate t; -- '", Lexis.POSTGRES).statements())
                .hasSize(2);
        assertThat(SqlText.of("select E'a\\'; truncate t; -- '", Lexis.POSTGRES).statements())
                .hasSize(1);
        assertThat(SqlText.of("select $x$ ; $$ ; $x$, a$b, $1; commit", Lexis.POSTGRES)
                        .statements())
                .containsExactly(List.of("select", "a$b"), List.of("commit"));
        assertThat(SqlText.of("select $$ ; $$; commit", Lexis.H2).statements()).hasSize(2);
        assertThat(SqlText.of("select `a;b`; commit", Lexis.MARIADB).statements())
                .hasSize(2);
        assertThat(SqlText.of("select [a;b]; commit", Lexis.SQLITE).statements())
                .hasSize(2);
    }

    @Test
    void whatASettingOfTheServerReadsOtherwiseIsUncertain() {
        assertThat(SqlText.of("select 'it\\'s'", Lexis.MARIADB).isCertain()).isTrue();
        assertThat(SqlText.of("select 'a\\'; truncate t; -- '", Lexis.MARIADB).isCertain())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT /*!STRAIGHT_JOIN*/ 1               | true",
                "/*! TRUNCATE t */                         | false",
                "/*M!100100 TRUNCATE t */                  | false",
                "/*!999999 SELECT */ TRUNCATE t            | false",
                "DROP /*!999999 TEMPORARY */ TABLE t       | false",
                "SELECT 1 /*!; TRUNCATE t */               | false",
                "SELECT 1 /*!999999 ' */; TRUNCATE t -- '' | false"
            })
    void whatOnlySomeVersionsExecuteIsPlainBehindTheFirstWordOfAWriteAlone(String text, boolean isPlain) {
        SqlText read = SqlText.of(text, Lexis.MARIADB);

        assertThat(read.isExecutable()).isTrue();
        assertThat(read.isPlain() && read.isCertain()).isEqualTo(isPlain);
    }

    @ParameterizedTest
    @ValueSource(strings = {"insert into t values (1)", "WITH x AS (SELECT 1) DELETE FROM t", "select 1; select 2;"})
    void whatReadsOrWritesStaysWithinItsTransaction(String text) {
        assertThat(SqlText.of(text, Lexis.POSTGRES).effect()).isEqualTo(Effect.STAYS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"COMMIT", "rollback work", "insert into t values (1); commit", "END", "PREPARE TRANSACTION 'x'"})
    void whatEndsItsTransactionAtLastLeavesNothingBehind(String text) {
        assertThat(SqlText.of(text, Lexis.POSTGRES).effect()).isEqualTo(Effect.ENDS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "rollback to s",
                "rollback work to savepoint s",
                "set x = 1",
                "create table t(i int)",
                "commit; select 1"
            })
    void whateverElseMayEndItsTransaction(String text) {
        assertThat(SqlText.of(text, Lexis.POSTGRES).effect()).isEqualTo(Effect.MAY_END);
    }

    @Test
    void aProcedureMayDoAnything() {
        assertThat(SqlText.of("{call p(?)}", Lexis.MARIADB).effect()).isEqualTo(Effect.CALLS);
        assertThat(Effect.CALLS.and(Effect.STAYS)).isEqualTo(Effect.CALLS);
        assertThat(Effect.STAYS.and(Effect.MAY_END)).isEqualTo(Effect.MAY_END);
    }

    private static String words(String text, Lexis lexis) {
        return SqlText.of(text, lexis).firstWord();
    }
}
