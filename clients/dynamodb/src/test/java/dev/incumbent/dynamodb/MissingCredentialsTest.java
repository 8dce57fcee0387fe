package dev.incumbent.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The messages are the SDK's own, of 2.31.78; its real ones are met by the adapters' tests. */
class MissingCredentialsTest {
    private static final String PROFILES = "ProfileFile(sections=[profiles], profiles=[Profile(name=role, "
            + "properties=[source_profile, role_arn]), Profile(name=base, properties=[aws_access_key_id])])";
    private static final String BEFORE = "Unable to load credentials from any of the providers in the chain "
            + "AwsCredentialsProviderChain(credentialsProviders=[SystemPropertyCredentialsProvider(), "
            + "ProfileCredentialsProvider(profileName=role, profileFile=" + PROFILES + ")]) : ["
            + "SystemPropertyCredentialsProvider(): Unable to load credentials from system settings. Access key must be specified "
            + "either via environment variable (AWS_ACCESS_KEY_ID) or system property (aws.accessKeyId)., ";
    private static final String NO_WEB_IDENTITY =
            "WebIdentityTokenCredentialsProvider(): Either the environment variable "
                    + "AWS_WEB_IDENTITY_TOKEN_FILE or the javaproperty aws.webIdentityTokenFile must be set., ";
    private static final String AFTER =
            "ContainerCredentialsProvider(): Cannot fetch credentials from container - neither "
                    + "AWS_CONTAINER_CREDENTIALS_FULL_URI or AWS_CONTAINER_CREDENTIALS_RELATIVE_URI environment variables are set., "
                    + "InstanceProfileCredentialsProvider(): Failed to load credentials from IMDS.]";

    @Test
    void aSourceThatIsSetUpTellsWhatItLacks() {
        String said = BEFORE
                + "WebIdentityTokenCredentialsProvider(): To use web identity tokens, the 'sts' service module must be on the class path., "
                + profile("default", "Profile file contained no credentials for profile 'default': " + PROFILES)
                + AFTER;

        assertThat(MissingCredentials.why(said))
                .isEqualTo(
                        ": the web identity: To use web identity tokens, the 'sts' service module must be on the class path"
                                + " (software.amazon.awssdk:sts)");
    }

    @Test
    void aProfileIsToldWithoutTheListOfAllOthers() {
        String said = BEFORE
                + NO_WEB_IDENTITY
                + profile("office", "Profile file contained no credentials for profile 'office': " + PROFILES)
                + AFTER;

        assertThat(MissingCredentials.why(said))
                .isEqualTo(": the profile: Profile file contained no credentials for profile 'office'");
    }

    @Test
    void severalAreToldInTheirOrder() {
        String said = BEFORE
                + "WebIdentityTokenCredentialsProvider(): Not authorized to perform sts:AssumeRoleWithWebIdentity, "
                + profile("sso", "Unable to load SSO token") + AFTER;

        assertThat(MissingCredentials.why(said))
                .isEqualTo(": the web identity: Not authorized to perform sts:AssumeRoleWithWebIdentity; "
                        + "the profile: Unable to load SSO token");
    }

    @Test
    void whereNothingIsSetUpAllThatCouldBeAreNamed() {
        String said = BEFORE + NO_WEB_IDENTITY + AFTER;

        assertThat(MissingCredentials.why(said))
                .isEqualTo(
                        " (no system properties, environment, web identity, profile, container or instance gives any)");
    }

    @Test
    void whatOneSourceSaysIsToldAsItIs() {
        assertThat(MissingCredentials.why("Profile file contained no credentials for profile 'x': " + PROFILES))
                .isEqualTo(": Profile file contained no credentials for profile 'x'");
        assertThat(MissingCredentials.why("Unable to load credentials from any source"))
                .startsWith(" (no system properties");
    }

    private static String profile(String name, String why) {
        return "ProfileCredentialsProvider(profileName=" + name + ", profileFile=" + PROFILES + "): " + why + ", ";
    }
}
