package dev.incumbent.dynamodb;

import dev.incumbent.wire.StoreUri;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a URI says: {@code dynamodb://TABLE?region=R&endpoint=URL&profile=P}, all of whose parameters may be left out.
 *
 * @param region none means {@code $AWS_REGION}, or the profile's
 * @param endpoint none means the region's own
 * @param profile none means {@code $AWS_PROFILE}, or the default
 */
public record DynamoDbUri(String table, Optional<String> region, Optional<URI> endpoint, Optional<String> profile) {
    public static final String SCHEME = "dynamodb";

    /** What to write instead, for people. */
    public static final String FORM = "write " + SCHEME + "://TABLE?region=REGION";

    private static final Pattern TABLE = Pattern.compile("[A-Za-z0-9_.-]{3,255}");
    private static final Pattern REGION = Pattern.compile("[a-z0-9-]{1,63}");

    /** Reads a URI, or throws a {@link dev.incumbent.wire.UriException} that repeats no secret of it. */
    public static DynamoDbUri parse(String text) {
        StoreUri uri = StoreUri.parse(text);
        if (!uri.scheme().equals(SCHEME)
                || uri.user().isPresent()
                || uri.password().isPresent()) {
            throw uri.refused("it names a table alone; who asks is told by the credentials of AWS");
        }
        if (!TABLE.matcher(uri.authority()).matches()
                || !(uri.path().isEmpty() || uri.path().equals("/"))) {
            throw uri.refused("'" + uri.authority() + uri.path() + "' is no table's name");
        }
        Optional<String> region = uri.parameters().take("region");
        if (region.filter(name -> !REGION.matcher(name).matches()).isPresent()) {
            throw uri.refused("'" + region.get() + "' is no region");
        }
        Optional<URI> endpoint = uri.parameters().take("endpoint").map(url -> endpoint(uri, url));
        Optional<String> profile = uri.parameters().take("profile");
        uri.parameters().refuseOthers();
        return new DynamoDbUri(uri.authority(), region, endpoint, profile);
    }

    private static URI endpoint(StoreUri uri, String url) {
        try {
            URI endpoint = new URI(url);
            boolean isHttp = "http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme());
            if (isHttp && endpoint.getHost() != null && endpoint.getUserInfo() == null) {
                return endpoint;
            }
        } catch (URISyntaxException e) {
            // Told below, without what stands in it.
        }
        throw uri.refused("its endpoint is no URL such as http://127.0.0.1:8000");
    }
}
