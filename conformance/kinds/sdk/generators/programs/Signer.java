import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

final class Signer {
    /** Returns the headers of RFC 9421 for a request, with a digest of its body if it has one. */
    static Map<String, String> sign(String method, URI url, byte[] body)
            throws GeneralSecurityException {
        Base64.Encoder base64 = Base64.getEncoder();
        Map<String, String> headers = new HashMap<>();
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("@method", method);
        lines.put("@authority", url.getRawAuthority());
        lines.put("@path", url.getRawPath());
        if (url.getRawQuery() != null) lines.put("@query", "?" + url.getRawQuery());
        if (body.length > 0) {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(body);
            headers.put("Content-Digest", "sha-256=:" + base64.encodeToString(digest) + ":");
            lines.put("content-digest", headers.get("Content-Digest"));
        }
        String covered = lines.keySet().stream()
            .map(name -> '"' + name + '"').collect(Collectors.joining(" "));
        String parameters = String.format(
            "(%s);created=%d;keyid=\"%s\";alg=\"ed25519\";nonce=\"%s\"",
            covered, Instant.now().getEpochSecond(), System.getenv("HUB_KEY_ID"), UUID.randomUUID());
        lines.put("@signature-params", parameters);
        String base = lines.entrySet().stream()
            .map(line -> '"' + line.getKey() + "\": " + line.getValue())
            .collect(Collectors.joining("\n"));
        byte[] seed = HexFormat.of().parseHex(System.getenv("HUB_SEED"));
        Signature signature = Signature.getInstance("Ed25519");
        signature.initSign(KeyFactory.getInstance("Ed25519")
            .generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, seed)));
        signature.update(base.getBytes(StandardCharsets.UTF_8));
        headers.put("Signature-Input", "sig1=" + parameters);
        headers.put("Signature", "sig1=:" + base64.encodeToString(signature.sign()) + ":");
        return headers;
    }
}
