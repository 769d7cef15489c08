import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
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
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.DiscoveryApi;
import org.openapitools.client.api.WalletApi;

/** openapi-generator, java: signs in an interceptor of OkHttp. */
public class Main {
    public static void main(String[] words) throws Exception {
        String url = System.getenv("HUB_URL");
        ApiClient plain = new ApiClient().setBasePath(url);
        System.out.println("unsigned " + new DiscoveryApi(plain).discoveryIndex().getHub());
        OkHttpClient signing = new OkHttpClient.Builder().addInterceptor(Main::signed).build();
        ApiClient client = new ApiClient(signing).setBasePath(url);
        System.out.println("signed " + new WalletApi(client).walletMe(null).getOwner());
        System.exit(0);
    }

    /** Sends a request without a body with the signature headers (RFC 9421). */
    static Response signed(Interceptor.Chain chain) throws IOException {
        Request request = chain.request();
        HttpUrl url = request.url();
        List<String> lines = new ArrayList<>();
        lines.add("\"@method\": " + request.method());
        lines.add("\"@authority\": " + url.host() + ":" + url.port());
        lines.add("\"@path\": " + url.encodedPath());
        String covered = "\"@method\" \"@authority\" \"@path\"";
        if (url.encodedQuery() != null) {
            lines.add("\"@query\": ?" + url.encodedQuery());
            covered += " \"@query\"";
        }
        String parameters = String.format(
            "(%s);created=%d;keyid=\"%s\";alg=\"ed25519\";nonce=\"%s\"",
            covered, Instant.now().getEpochSecond(), System.getenv("HUB_KEY_ID"), UUID.randomUUID());
        lines.add("\"@signature-params\": " + parameters);
        try {
            byte[] seed = HexFormat.of().parseHex(System.getenv("HUB_SEED"));
            Signature signature = Signature.getInstance("Ed25519");
            signature.initSign(KeyFactory.getInstance("Ed25519")
                .generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, seed)));
            signature.update(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
            String bytes = Base64.getEncoder().encodeToString(signature.sign());
            return chain.proceed(request.newBuilder()
                .header("Signature-Input", "sig1=" + parameters)
                .header("Signature", "sig1=:" + bytes + ":")
                .build());
        } catch (GeneralSecurityException fault) {
            throw new IOException(fault);
        }
    }
}
