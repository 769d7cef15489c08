import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.DiscoveryApi;
import org.openapitools.client.api.WalletApi;

/** openapi-generator, java: signs in the request interceptor of its client. */
public class Main {
    public static void main(String[] words) throws Exception {
        ApiClient client = new ApiClient();
        client.updateBaseUri(System.getenv("HUB_URL"));
        System.out.println("unsigned " + new DiscoveryApi(client).discoveryIndex().getHub());
        client.setRequestInterceptor(Main::sign);
        System.out.println("signed " + new WalletApi(client).walletMe(null).getOwner());
    }

    /** The signature headers (RFC 9421) of a request without a body. */
    static void sign(HttpRequest.Builder builder) {
        HttpRequest request = builder.copy().build();
        URI uri = request.uri();
        List<String> lines = new ArrayList<>();
        lines.add("\"@method\": " + request.method());
        lines.add("\"@authority\": " + uri.getAuthority());
        lines.add("\"@path\": " + uri.getRawPath());
        String covered = "\"@method\" \"@authority\" \"@path\"";
        if (uri.getRawQuery() != null) {
            lines.add("\"@query\": ?" + uri.getRawQuery());
            covered += " \"@query\"";
        }
        String parameters = String.format(
            "(%s);created=%d;keyid=\"%s\";alg=\"ed25519\";nonce=\"%s\"",
            covered, Instant.now().getEpochSecond(), System.getenv("HUB_KEY_ID"), UUID.randomUUID());
        lines.add("\"@signature-params\": " + parameters);
        try {
            byte[] seed = HexFormat.of().parseHex(System.getenv("HUB_SEED"));
            Signature signing = Signature.getInstance("Ed25519");
            signing.initSign(KeyFactory.getInstance("Ed25519")
                .generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, seed)));
            signing.update(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
            builder.header("Signature-Input", "sig1=" + parameters);
            builder.header("Signature", "sig1=:" + Base64.getEncoder().encodeToString(signing.sign()) + ":");
        } catch (java.security.GeneralSecurityException fault) {
            throw new IllegalStateException(fault);
        }
    }
}
