import java.io.IOException;
import java.security.GeneralSecurityException;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okio.Buffer;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.DiscoveryApi;
import org.openapitools.client.api.TasksApi;
import org.openapitools.client.api.WalletApi;
import org.openapitools.client.model.TasksClaimNextRequest;

/** openapi-generator, java: signs in an interceptor of OkHttp. */
public class Main {
    public static void main(String[] words) throws Exception {
        String url = System.getenv("HUB_URL");
        ApiClient plain = new ApiClient().setBasePath(url);
        System.out.println("unsigned " + new DiscoveryApi(plain).discoveryIndex().getHub());
        OkHttpClient signing = new OkHttpClient.Builder().addInterceptor(Main::signed).build();
        ApiClient client = new ApiClient(signing).setBasePath(url);
        System.out.println("signed " + new WalletApi(client).walletMe(null).getOwner());
        TasksClaimNextRequest next = new TasksClaimNextRequest();
        System.out.println("claimed " + new TasksApi(client).tasksClaimNext(null, null, null, next).getClaimToken());
        System.exit(0);
    }

    static Response signed(Interceptor.Chain chain) throws IOException {
        Request plain = chain.request();
        Buffer body = new Buffer();
        if (plain.body() != null) plain.body().writeTo(body);
        Request.Builder signed = plain.newBuilder();
        try {
            Signer.sign(plain.method(), plain.url().uri(), body.readByteArray())
                .forEach(signed::header);
        } catch (GeneralSecurityException fault) {
            throw new IOException(fault);
        }
        return chain.proceed(signed.build());
    }
}
