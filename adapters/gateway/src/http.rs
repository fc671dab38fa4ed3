//! The HTTP front door: every route, its OpenAPI document and the guard before all of them. It knows how calls look in HTTP
//! and nothing else: what a caller may do, and what becomes of it, the desk says.

use std::sync::Arc;

use askrelay_protocol::frame::Call;
use askrelay_protocol::reply::Reply;
use axum::body::Bytes;
use axum::{Router, middleware};
use tokio::sync::Semaphore;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::Gateway;
use crate::desk::{Credential, Work};
use crate::shared::Shared;

mod answer;
mod ask;
mod body;
mod caller;
mod document;
mod doors;
mod events;
mod failure;
mod guard;
mod health;
mod list;
mod outcome;
mod people;
mod query;
mod text;
mod trail;

use failure::Failure;
use guard::Guard;

/// Bodies read at one time; together with the bound of each they bound the memory that reading takes.
const BODIES: usize = 64;

/// What the routes stand on.
#[derive(Debug)]
struct Front {
    shared: Arc<Shared>,
    bodies: Semaphore,
    document: Bytes,
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "askrelay",
        description = "Carries an agent's structured question to a person and brings exactly one authorised answer back."
    ),
    tags(
        (name = "asks", description = "Ask, wait, answer, withdraw."),
        (name = "people", description = "Who is known, who wants to be, and what they did. For admins."),
        (name = "operation", description = "For whoever runs the gateway.")
    ),
    modifiers(&Bearer)
)]
struct Document;

struct Bearer;

impl Modify for Bearer {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let bearer = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some(
                "A token of `askrelay token create`. On the Unix socket the same user needs none.",
            ))
            .build();
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
    }
}

/// All HTTP routes. Merge what else the listener serves, then put [`guarded`] around the whole. Callers without a token are
/// whoever the gateway's own listener established.
pub fn router(gateway: &Gateway) -> Router {
    let (router, document) = OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(ask::ask, list::list))
        .routes(routes!(list::get, ask::withdraw))
        .routes(routes!(answer::wait, answer::answer))
        .routes(routes!(events::events))
        .routes(routes!(people::list, people::add))
        .routes(routes!(people::get, people::change, people::remove))
        .routes(routes!(doors::pairings))
        .routes(routes!(doors::approve, doors::reject))
        .routes(routes!(doors::invites, doors::invite))
        .routes(routes!(doors::revoke))
        .routes(routes!(trail::trail))
        .routes(routes!(health::alive))
        .routes(routes!(health::ready))
        .routes(routes!(health::metrics))
        .routes(routes!(health::document))
        .split_for_parts();
    let front = Front {
        shared: Arc::clone(&gateway.shared),
        bodies: Semaphore::new(BODIES),
        // The document is made of the code alone; a test reads it.
        document: document.to_json().unwrap_or_default().into(),
    };
    router
        .method_not_allowed_fallback(guard::no_such_method)
        .fallback(guard::no_such_route)
        .with_state(Arc::new(front))
}

/// Puts the guard before every route of `router`: only configured hosts and origins get through, and only so many requests
/// at a time. There are no CORS headers, so a page of another origin reads nothing.
pub fn guarded(router: Router, gateway: &Gateway) -> Router {
    let guard = Arc::new(Guard::new(&gateway.shared.config));
    router.layer(middleware::from_fn_with_state(guard, guard::check))
}

impl Front {
    /// One call of the protocol, for whoever shows the credential.
    async fn call(&self, credential: &Credential, call: Call) -> Result<Reply, Failure> {
        Ok(self.shared.call(credential.clone(), call).await?)
    }

    async fn work(&self, credential: &Credential, work: Work) -> Result<Reply, Failure> {
        Ok(self.shared.work(credential.clone(), work).await?)
    }
}

/// The desk answered something else than it was asked for.
fn unexpected() -> Failure {
    Failure::new(failure::ErrorCode::Unavailable, "the gateway cannot answer that at the moment")
}
