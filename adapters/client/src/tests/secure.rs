//! TLS to a gateway whose certificate nobody vouches for: only its fingerprint opens the way, and only to who holds its key.

use std::sync::Arc;

use sha2::{Digest, Sha256};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;

use super::peer::{settings, soon, subject};
use crate::{ConnectError, Fingerprint, Link, Status};

/// A gateway with a certificate of its own making: where it listens, and the fingerprint. Shakes hands and says nothing.
async fn secure() -> (String, String) {
    let made = rcgen::generate_simple_self_signed(["gate.example.org".to_owned()]).unwrap();
    let fingerprint: Vec<String> =
        Sha256::digest(made.cert.der()).iter().map(|byte| format!("{byte:02X}")).collect();
    let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key.into())
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("wss://localhost:{}", listener.local_addr().unwrap().port());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            if let Ok(stream) = acceptor.accept(stream).await
                && let Ok(mut socket) = tokio_tungstenite::accept_async(stream).await
            {
                // The client that got this far is let go.
                let _ = socket.close(None).await;
            }
        }
    });
    (url, fingerprint.join(":"))
}

/// Why a client of this link is not joined, in short.
async fn tried(link: Link) -> &'static str {
    let subject = subject(settings(), link);
    let mut status = subject.client.watch();
    let tried = soon(status.wait_for(|status| matches!(status, Status::Offline(_) | Status::Ended(_)))).await;
    match &*tried.unwrap() {
        Status::Offline(why) | Status::Ended(why) => match &**why {
            ConnectError::Closed { .. } => "got through",
            ConnectError::Upgrade { source, .. } if source.to_string().contains("fingerprint") => "another",
            ConnectError::Upgrade { .. } => "refused",
            ConnectError::Address { .. } => "no TLS there",
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn only_the_pinned_certificate_opens_the_way() {
    let (url, fingerprint) = secure().await;
    let pin = Fingerprint::parse(&fingerprint).unwrap();
    let other = Fingerprint::parse(&"ab".repeat(32)).unwrap();
    let open = url.replace("wss://", "ws://");
    let rows = [
        ("its own", Link::Pinned(url.clone(), pin), "got through"),
        ("another's", Link::Pinned(url.clone(), other), "another"),
        ("nobody vouches for it", Link::Tcp(url.clone()), "refused"),
        ("a pin without TLS", Link::Pinned(open, pin), "no TLS there"),
    ];
    for (name, link, expected) in rows {
        assert_eq!(tried(link).await, expected, "{name}");
    }
}

#[test]
fn a_fingerprint_is_64_digits() {
    let digits = "0123456789abcdef".repeat(4);
    let colons = digits.as_bytes().chunks(2).map(|pair| String::from_utf8_lossy(pair).to_uppercase());
    let colons = colons.collect::<Vec<_>>().join(":");
    for text in [&digits, &colons, &format!(" {digits}\n")] {
        assert_eq!(Fingerprint::parse(text).map(|pin| pin.to_string()).as_ref(), Some(&digits), "{text}");
    }
    for text in ["", "ab", &digits[1..], &digits.replace('0', "g"), &format!("{digits}0")] {
        assert_eq!(Fingerprint::parse(text), None, "{text}");
    }
}
