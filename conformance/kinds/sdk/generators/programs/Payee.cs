using System;
using System.Net.Http;
using System.Text;

/// <summary>Sends one signed request, METHOD PATH [BODY], and prints the answer.</summary>
static class Payee
{
    static void Main(string[] words)
    {
        var url = new Uri(Environment.GetEnvironmentVariable("HUB_URL") + words[1]);
        var body = Encoding.UTF8.GetBytes(words.Length > 2 ? words[2] : "");
        var request = new HttpRequestMessage(new HttpMethod(words[0]), url);
        if (body.Length > 0)
        {
            request.Content = new ByteArrayContent(body);
            request.Content.Headers.TryAddWithoutValidation("Content-Type", "application/json");
        }
        foreach (var header in Signer.Sign(words[0], url, body))
            request.Headers.TryAddWithoutValidation(header.Key, header.Value);
        var answer = new HttpClient().SendAsync(request).Result;
        Console.WriteLine(answer.Content.ReadAsStringAsync().Result);
    }
}
