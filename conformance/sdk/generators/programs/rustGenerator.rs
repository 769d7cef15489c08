//! openapi-generator, rust: signs in a middleware of reqwest.
use std::env::var;
use std::time::{SystemTime, UNIX_EPOCH};

use base64::prelude::{Engine, BASE64_STANDARD};
use ed25519_dalek::{Signer, SigningKey};
use openapi::apis::configuration::Configuration;
use openapi::apis::{discovery_api, wallet_api};
use reqwest_middleware::reqwest::{Request, Response};
use reqwest_middleware::{ClientBuilder, Middleware, Next, Result};

type Fault = Box<dyn std::error::Error + Send + Sync>;

struct Signing;

#[async_trait::async_trait]
impl Middleware for Signing {
    async fn handle(
        &self,
        mut request: Request,
        extensions: &mut http::Extensions,
        next: Next<'_>,
    ) -> Result<Response> {
        sign(&mut request).map_err(|fault| reqwest_middleware::Error::Middleware(anyhow::anyhow!(fault)))?;
        next.run(request, extensions).await
    }
}

/// Adds the signature headers (RFC 9421) to a request without a body.
fn sign(request: &mut Request) -> std::result::Result<(), Fault> {
    let url = request.url();
    let mut covered = String::from("\"@method\" \"@authority\" \"@path\"");
    let mut lines = vec![
        format!("\"@method\": {}", request.method()),
        format!("\"@authority\": {}", url.authority()),
        format!("\"@path\": {}", url.path()),
    ];
    if let Some(query) = url.query() {
        covered.push_str(" \"@query\"");
        lines.push(format!("\"@query\": ?{query}"));
    }
    let created = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    let parameters = format!(
        "({covered});created={created};keyid=\"{}\";alg=\"ed25519\";nonce=\"{}\"",
        var("HUB_KEY_ID")?,
        uuid::Uuid::new_v4().simple()
    );
    lines.push(format!("\"@signature-params\": {parameters}"));
    let seed: [u8; 32] = hex::decode(var("HUB_SEED")?)?.as_slice().try_into()?;
    let signature = SigningKey::from_bytes(&seed).sign(lines.join("\n").as_bytes());
    let value = format!("sig1=:{}:", BASE64_STANDARD.encode(signature.to_bytes()));
    let headers = request.headers_mut();
    headers.insert("signature-input", format!("sig1={parameters}").parse()?);
    headers.insert("signature", value.parse()?);
    Ok(())
}

#[tokio::main]
async fn main() -> std::result::Result<(), Fault> {
    let mut configuration = Configuration { base_path: var("HUB_URL")?, ..Default::default() };
    let index = discovery_api::discovery_index(&configuration).await?;
    println!("unsigned {}", index.hub);
    let plain = reqwest_middleware::reqwest::Client::new();
    configuration.client = ClientBuilder::new(plain).with(Signing).build();
    let me = wallet_api::wallet_me(&configuration, None).await?;
    println!("signed {}", me.owner);
    Ok(())
}
