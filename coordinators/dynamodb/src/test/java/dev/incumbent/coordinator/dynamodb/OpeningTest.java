package dev.incumbent.coordinator.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.dynamodb.DynamoDbUri;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.servers.DynamoDbServer;
import dev.incumbent.servers.FreePorts;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.ContainerCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** Bad input and trouble at the server: each is one sentence that names what and where. */
@Tag("patient")
class OpeningTest {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final ElectionName BILLING = new ElectionName("billing");

    private final DynamoDbRig rig = new DynamoDbRig(SharedServer.get(), BOUND);
    private final DynamoDbCoordinatorProvider provider = new DynamoDbCoordinatorProvider();
    private final String where = "DynamoDB in http://127.0.0.1:" + rig.server().port();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aUriThatIsNotUnderstoodIsRefused() {
        assertRefused("dynamodb://ab", "'ab' is no table's name");
        assertRefused("dynamodb:offices", "is no URI such as");
        assertRefused("dynamodb://offices/path", "'offices/path' is no table's name");
        assertRefused("dynamodb://offices?regoin=eu-west-1", "parameter 'regoin'");
        assertRefused("dynamodb://offices?region=", "the parameter region has no value");
        assertRefused("dynamodb://offices?region=eu-west-1&endpoint=localhost:8000", "its endpoint is no URL");
        assertRefused("dynamodb://of fices", "'of fices' is no table's name");
    }

    @Test
    void aSecretInAUriThatIsRefusedIsNotTold() {
        for (String uri : List.of(
                "dynamodb://offices?endpoint=http://ada:hush@127.0.0.1:8000",
                "dynamodb://ada:hush@offices",
                "dynamodb://offices?password=hush",
                "dynamodb://offices?region=eu west 1&token=hush",
                "dynamodb://offices?endpoint=http://ada:hush@host:80 00")) {
            assertThatThrownBy(() -> rig.open(uri, Mode.CREATE))
                    .as(uri)
                    .isInstanceOf(CoordinatorUnusableException.class)
                    .hasMessageContaining("the coordinator dynamodb://")
                    .hasMessageNotContaining("hush");
        }
    }

    @Test
    void aRegionThatNobodyNamesIsAskedForWithoutWaitingForAnybody() {
        assertRefused("dynamodb://offices?profile=no-such-profile", "no AWS region is known for the table offices");
    }

    @Test
    void aTableThatIsMissingIsNamedWithWhatMakesIt() {
        String uri = rig.server().uri("never-installed");

        assertMissing(failure(open(uri, Mode.READ_ONLY).read(Set.of(BILLING))));
        assertMissing(failure(open(uri, Mode.CREATE).grant(new CandidateId("ada"), Duration.ofSeconds(5))));
    }

    private void assertMissing(CoordinatorException failure) {
        assertThat(failure)
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessage(where + " has no table never-installed: incumbent install --at URI makes it");
    }

    @Test
    void theTableIsPaidForByRequest() {
        assertThat(rig.hand()
                        .describeTable(describe -> describe.tableName(rig.table()))
                        .table()
                        .billingModeSummary()
                        .billingMode())
                .isEqualTo(BillingMode.PAY_PER_REQUEST);
    }

    @Test
    void installingTwiceLeavesWhatIsThere() {
        Coordinator client = rig.connect();
        join(client.grant(new CandidateId("ada"), Duration.ofSeconds(5)));
        String before = rig.hand()
                .describeTable(describe -> describe.tableName(rig.table()))
                .table()
                .creationDateTime()
                .toString();

        provider.install(rig.server().uri(rig.table()), BOUND);

        assertThat(rig.hand()
                        .describeTable(describe -> describe.tableName(rig.table()))
                        .table()
                        .creationDateTime())
                .hasToString(before);
    }

    @Test
    void aTableOfSomebodyElseIsRefused() {
        String table = rig.table() + "-foreign";
        rig.hand()
                .createTable(create -> create.tableName(table)
                        .billingMode(BillingMode.PAY_PER_REQUEST)
                        .attributeDefinitions(AttributeDefinition.builder()
                                .attributeName("id")
                                .attributeType(ScalarAttributeType.S)
                                .build())
                        .keySchema(KeySchemaElement.builder()
                                .attributeName("id")
                                .keyType(KeyType.HASH)
                                .build()));
        String uri = rig.server().uri(table);

        CoordinatorException failure = failure(open(uri, Mode.CREATE).read(Set.of(BILLING)));

        assertThat(failure)
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining(
                        "the table " + table + " of " + where + " is not Incumbent's, its key is not pk and sk");
        assertThatThrownBy(() -> provider.install(uri, BOUND))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("is not Incumbent's");
    }

    @Test
    void aServerThatIsNotThereIsNamed() {
        int port = FreePorts.one();

        CoordinatorException failure =
                failure(open(DynamoDbServer.uri("offices", port), Mode.CREATE).grant(new CandidateId("ada"), BOUND));

        assertThat(failure).hasMessage("DynamoDB in http://127.0.0.1:" + port + " cannot be reached");
        assertThat(failure.mayHaveApplied()).isFalse();
    }

    @Test
    void aHostThatNobodyKnowsIsNamed() {
        CoordinatorException failure =
                failure(open("dynamodb://offices?region=eu-west-1&endpoint=http://nowhere.invalid:8000", Mode.CREATE)
                        .read(Set.of(BILLING)));

        assertThat(failure).hasMessage("the host of DynamoDB in http://nowhere.invalid:8000 is not known");
    }

    @Test
    void credentialsThatNobodyHasAreMissed() {
        CoordinatorException failure = failure(
                opened(ProfileCredentialsProvider.create("no-such-profile")).grant(new CandidateId("ada"), BOUND));

        assertThat(failure)
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageStartingWith("no AWS credentials are found for " + where)
                .hasMessageContaining("no-such-profile");
    }

    @Test
    void credentialsThatAreNowhereAreMissedInOneSentence() {
        var nowhere = AwsCredentialsProviderChain.of(
                ProfileCredentialsProvider.create("no-such-profile"), ContainerCredentialsProvider.create());

        CoordinatorException failure = failure(opened(nowhere).grant(new CandidateId("ada"), BOUND));

        assertThat(failure)
                .hasMessage("no AWS credentials are found for " + where
                        + ": the profile: Profile file contained no credentials for profile 'no-such-profile'");
    }

    @Test
    void credentialsThatTheServerDoesNotAcceptAreTold() {
        CoordinatorException failure =
                failure(opened(AnonymousCredentialsProvider.create()).read(Set.of(BILLING)));

        assertThat(failure)
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining(where + " does not accept the AWS credentials (MissingAuthenticationToken");
    }

    @Test
    void whoOpensToReadWritesNothing() {
        CoordinatorException failure =
                failure(rig.connect(Mode.READ_ONLY).grant(new CandidateId("ada"), Duration.ofSeconds(5)));

        assertThat(failure).isInstanceOf(CoordinatorUnusableException.class).hasMessageContaining("read only");
    }

    private Coordinator open(String uri, Mode mode) {
        return rig.remembered(rig.open(uri, mode));
    }

    private Coordinator opened(AwsCredentialsProvider credentials) {
        DynamoDbUri address = DynamoDbUri.parse(rig.server().uri(rig.table()));
        var background = new BackgroundCredentials(credentials, rig.timeline(), BOUND);
        return rig.remembered(
                new DynamoDbCoordinator(Opened.of(address, BOUND, background), rig.timeline(), BOUND, Mode.CREATE));
    }

    private void assertRefused(String uri, String why) {
        assertThatThrownBy(() -> rig.open(uri, Mode.CREATE))
                .as(uri)
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining(why);
    }

    static <T> T join(CompletionStage<T> call) {
        return call.toCompletableFuture().join();
    }

    static CoordinatorException failure(CompletionStage<?> call) {
        try {
            throw new AssertionError("expected no answer, and it was " + join(call));
        } catch (CompletionException e) {
            if (e.getCause() instanceof CoordinatorException known) {
                return known;
            }
            throw e;
        }
    }
}
