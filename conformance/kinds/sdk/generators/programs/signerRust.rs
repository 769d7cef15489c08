//! httpsig of crates.io: signs a request of hyper.
use std::env::var;
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt, Full};
use httpsig_hyper::prelude::message_component::HttpMessageComponentId;
use httpsig_hyper::prelude::{AlgorithmName, HttpSignatureParams, SecretKey};
use httpsig_hyper::{ContentDigestType, MessageSignatureReq, RequestContentDigest};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;

type Fault = Box<dyn std::error::Error>;
const TIMEOUT: Duration = Duration::from_secs(10);

async fn signed(method: &str, path: &str, body: &str) -> Result<String, Fault> {
    let seed = hex::decode(var("HUB_SEED")?)?;
    let key = SecretKey::from_bytes(&AlgorithmName::Ed25519, &seed)?;
    let mut covered = vec!["@method", "@target-uri"];
    if !body.is_empty() {
        covered.push("content-digest");
    }
    let ids: Vec<_> = covered
        .iter()
        .map(|name| HttpMessageComponentId::try_from(*name))
        .collect::<Result<_, _>>()?;
    let mut params = HttpSignatureParams::try_new(&ids)?;
    params.set_key_info(&key).set_keyid(&var("HUB_KEY_ID")?).set_random_nonce();
    let plain = Request::builder()
        .method(method)
        .uri(format!("{}{path}", var("HUB_URL")?))
        .header("content-type", "application/json")
        .body(Full::new(Bytes::from(body.to_string())))?;
    let mut request = plain.set_content_digest(&ContentDigestType::Sha256).await?;
    request.set_message_signature(&params, &key, Some("sig1")).await?;
    let client = Client::builder(TokioExecutor::new()).build_http();
    let answer = tokio::time::timeout(TIMEOUT, client.request(request)).await??;
    let bytes = answer.into_body().collect().await?.to_bytes();
    Ok(String::from_utf8(bytes.to_vec())?)
}

#[tokio::main]
async fn main() -> Result<(), Fault> {
    println!("read {}", signed("GET", "/api/v1/me/work?role=worker&limit=2", "").await?);
    let owner = format!("key:{}", var("HUB_KEY_ID")?);
    let space = format!(r#"{{"owner":"{owner}","name":"httpsig"}}"#);
    println!("wrote {}", signed("POST", "/api/v1/memory/spaces", &space).await?);
    Ok(())
}
