//! Sends one signed request, METHOD PATH [BODY], and prints the answer.
mod signer;

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let url = url::Url::parse(&format!("{}{}", std::env::var("HUB_URL")?, words[1]))?;
    let body = words.get(2).cloned().unwrap_or_default();
    let mut request = ureq::request_url(&words[0], &url).set("content-type", "application/json");
    for (name, value) in signer::sign(&words[0], &url, body.as_bytes())? {
        request = request.set(name, &value);
    }
    let answer = if body.is_empty() { request.call() } else { request.send_string(&body) };
    match answer {
        Ok(response) | Err(ureq::Error::Status(_, response)) => println!("{}", response.into_string()?),
        Err(fault) => return Err(fault.into()),
    }
    Ok(())
}
