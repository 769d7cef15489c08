use std::env::var;
use std::time::{SystemTime, UNIX_EPOCH};

use base64::prelude::{Engine, BASE64_STANDARD};
use ed25519_dalek::{Signer, SigningKey};
use sha2::{Digest, Sha256};

type Fault = Box<dyn std::error::Error + Send + Sync>;

/// Returns the headers of RFC 9421 for a request, with a digest of its body if it has one.
pub fn sign(method: &str, url: &url::Url, body: &[u8]) -> Result<Vec<(&'static str, String)>, Fault> {
    let mut headers = Vec::new();
    let mut lines = vec![
        ("@method", method.to_string()),
        ("@authority", url.authority().to_string()),
        ("@path", url.path().to_string()),
    ];
    if let Some(query) = url.query() {
        lines.push(("@query", format!("?{query}")));
    }
    if !body.is_empty() {
        let digest = format!("sha-256=:{}:", BASE64_STANDARD.encode(Sha256::digest(body)));
        lines.push(("content-digest", digest.clone()));
        headers.push(("content-digest", digest));
    }
    let covered: Vec<_> = lines.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    let created = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    let parameters = format!(
        "({});created={created};keyid=\"{}\";alg=\"ed25519\";nonce=\"{}\"",
        covered.join(" "),
        var("HUB_KEY_ID")?,
        uuid::Uuid::new_v4().simple()
    );
    lines.push(("@signature-params", parameters.clone()));
    let base: Vec<_> = lines.iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
    let seed: [u8; 32] = hex::decode(var("HUB_SEED")?)?.as_slice().try_into()?;
    let signature = SigningKey::from_bytes(&seed).sign(base.join("\n").as_bytes());
    headers.push(("signature-input", format!("sig1={parameters}")));
    headers.push(("signature", format!("sig1=:{}:", BASE64_STANDARD.encode(signature.to_bytes()))));
    Ok(headers)
}
