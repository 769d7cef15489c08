//! openapi-generator, rust: signs in a middleware of reqwest.
use std::env::var;

use openapi::apis::configuration::Configuration;
use openapi::apis::{discovery_api, tasks_api, wallet_api};
use openapi::models::TasksClaimNextRequest;
use reqwest_middleware::reqwest::{Request, Response};
use reqwest_middleware::{ClientBuilder, Middleware, Next, Result};

mod signer;

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
        let body = request.body().and_then(|body| body.as_bytes()).unwrap_or_default();
        let signed = signer::sign(request.method().as_str(), request.url(), body)
            .map_err(|fault| reqwest_middleware::Error::Middleware(anyhow::anyhow!(fault)))?;
        for (name, value) in signed {
            request.headers_mut().insert(name, value.parse().expect("it is ASCII"));
        }
        next.run(request, extensions).await
    }
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
    let next = TasksClaimNextRequest { skills: Some(Vec::new()), ..Default::default() };
    let claim = tasks_api::tasks_claim_next(&configuration, None, None, None, Some(next)).await?;
    println!("claimed {:?}", claim.claim_token);
    Ok(())
}
