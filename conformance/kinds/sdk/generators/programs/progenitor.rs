progenitor::generate_api!("openapi-3.0.json");

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let hub = Client::new(&std::env::var("HUB_URL").expect("HUB_URL"));
    let index = hub.discovery_index().await.expect("the index");
    println!("unsigned {}", index.hub.as_str());
}
