import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/** Sends one signed request, METHOD PATH [BODY], and prints the answer. */
public final class Payee {
    public static void main(String[] words) throws Exception {
        URI url = URI.create(System.getenv("HUB_URL") + words[1]);
        byte[] body = (words.length > 2 ? words[2] : "").getBytes(StandardCharsets.UTF_8);
        HttpRequest.Builder request = HttpRequest.newBuilder(url)
            .header("Content-Type", "application/json")
            .method(words[0], body.length > 0 ? BodyPublishers.ofByteArray(body) : BodyPublishers.noBody());
        Signer.sign(words[0], url, body).forEach(request::header);
        System.out.println(HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString()).body());
    }
}
