using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;

static class Signer
{
    // libsodium is a package of every Linux, and of NuGet.
    [DllImport("libsodium")]
    static extern int crypto_sign_seed_keypair(byte[] publicKey, byte[] secretKey, byte[] seed);
    [DllImport("libsodium")]
    static extern int crypto_sign_detached(
        byte[] signature, IntPtr length, byte[] text, ulong textLength, byte[] secretKey);

    /// <summary>Returns the headers of RFC 9421, with a digest of the body if it has one.</summary>
    public static Dictionary<string, string> Sign(string method, Uri url, byte[] body)
    {
        var headers = new Dictionary<string, string>();
        var lines = new List<KeyValuePair<string, string>>();
        Action<string, string> cover = (name, value) =>
            lines.Add(new KeyValuePair<string, string>(name, value));
        cover("@method", method);
        cover("@authority", url.Authority);
        cover("@path", url.AbsolutePath);
        if (url.Query != "") cover("@query", url.Query);
        if (body.Length > 0)
        {
            var digest = SHA256.Create().ComputeHash(body);
            headers["Content-Digest"] = "sha-256=:" + Convert.ToBase64String(digest) + ":";
            cover("content-digest", headers["Content-Digest"]);
        }
        var covered = string.Join(" ", lines.Select(line => '"' + line.Key + '"'));
        var parameters = string.Format(
            "({0});created={1};keyid=\"{2}\";alg=\"ed25519\";nonce=\"{3:N}\"",
            covered, DateTimeOffset.UtcNow.ToUnixTimeSeconds(),
            Environment.GetEnvironmentVariable("HUB_KEY_ID"), Guid.NewGuid());
        cover("@signature-params", parameters);
        var text = string.Join("\n", lines.Select(line => '"' + line.Key + "\": " + line.Value));
        var hex = Environment.GetEnvironmentVariable("HUB_SEED");
        var seed = Enumerable.Range(0, 32).Select(at => Convert.ToByte(hex.Substring(2 * at, 2), 16));
        byte[] open = new byte[32], secret = new byte[64], signature = new byte[64];
        var bytes = Encoding.UTF8.GetBytes(text);
        crypto_sign_seed_keypair(open, secret, seed.ToArray());
        crypto_sign_detached(signature, IntPtr.Zero, bytes, (ulong)bytes.Length, secret);
        headers["Signature-Input"] = "sig1=" + parameters;
        headers["Signature"] = "sig1=:" + Convert.ToBase64String(signature) + ":";
        return headers;
    }
}
