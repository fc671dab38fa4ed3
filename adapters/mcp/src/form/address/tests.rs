//! Which hosts and origins are ours.

use super::*;

type Headers<'a> = &'a [(&'a str, &'a str)];

fn headers(rows: Headers<'_>) -> HeaderMap {
    let row = |(name, value): &(&str, &str)| {
        (HeaderName::try_from(*name).unwrap(), HeaderValue::from_str(value).unwrap())
    };
    // Several of one name stay several.
    let mut all = HeaderMap::new();
    for (name, value) in rows.iter().map(row) {
        all.append(name, value);
    }
    all
}

fn address(socket: &str, host: &str) -> Address {
    Address::new(socket.parse().unwrap(), host, [0xab; 16])
}

#[test]
fn a_request_names_one_host_of_ours() {
    let rows: [(&str, &str, Headers<'_>, bool); 16] = [
        ("127.0.0.1:7000", "127.0.0.1", &[("host", "127.0.0.1:7000")], true),
        ("127.0.0.1:7000", "127.0.0.1", &[("host", "localhost:7000")], true),
        ("127.0.0.1:7000", "127.0.0.1", &[("host", "LOCALHOST:7000")], true),
        ("127.0.0.1:7000", "127.0.0.1", &[("host", "localhost")], false),
        ("127.0.0.1:7000", "127.0.0.1", &[("host", "localhost:7001")], false),
        ("127.0.0.1:7000", "127.0.0.1", &[("host", "rebound.example:7000")], false),
        ("127.0.0.1:7000", "127.0.0.1", &[], false),
        ("127.0.0.1:7000", "127.0.0.1", &[("host", "127.0.0.1:7000"), ("host", "evil.example")], false),
        ("127.0.0.1:80", "127.0.0.1", &[("host", "127.0.0.1")], true),
        ("[::1]:7000", "::1", &[("host", "[::1]:7000")], true),
        ("192.0.2.7:7000", "desk.example", &[("host", "desk.example:7000")], true),
        ("192.0.2.7:7000", "desk.example", &[("host", "192.0.2.7:7000")], true),
        ("192.0.2.7:7000", "desk.example", &[("host", "localhost:7000")], false),
        ("0.0.0.0:7000", "0.0.0.0", &[("host", "192.0.2.9:7000")], true),
        ("0.0.0.0:7000", "0.0.0.0", &[("host", "192.0.2.9:7001")], false),
        ("0.0.0.0:7000", "0.0.0.0", &[("host", "rebound.example:7000")], false),
    ];
    for (socket, host, named, ours) in rows {
        let found = address(socket, host).host(&Uri::from_static("/"), &headers(named));
        assert_eq!(found.is_some(), ours, "{socket} {named:?}");
    }
    let absolute = Uri::from_static("http://evil.example/");
    let named = headers(&[("host", "127.0.0.1:7000")]);
    assert_eq!(address("127.0.0.1:7000", "127.0.0.1").host(&absolute, &named), None);
}

#[test]
fn a_post_comes_from_its_own_page() {
    let rows: [(Headers<'_>, bool); 10] = [
        (&[("origin", "http://localhost:7000")], true),
        (&[("sec-fetch-site", "same-origin")], true),
        (&[("origin", "http://localhost:7000"), ("sec-fetch-site", "same-origin")], true),
        (&[], false),
        (&[("origin", "null")], false),
        (&[("origin", "http://127.0.0.1:7000")], false),
        (&[("origin", "https://localhost:7000")], false),
        (&[("origin", "http://localhost:7000"), ("sec-fetch-site", "cross-site")], false),
        (&[("origin", "http://evil.example"), ("sec-fetch-site", "same-origin")], false),
        (&[("origin", "http://localhost:7000"), ("origin", "http://evil.example")], false),
    ];
    for (told, own) in rows {
        assert_eq!(is_from_own_page(&headers(told), "localhost:7000"), own, "{told:?}");
    }
}

#[test]
fn the_address_can_be_opened_and_not_guessed() {
    let rows = [
        ("127.0.0.1:7000", "http://127.0.0.1:7000/"),
        ("127.0.0.1:80", "http://127.0.0.1/"),
        ("[::1]:7000", "http://[::1]:7000/"),
        ("0.0.0.0:7000", "http://127.0.0.1:7000/"),
        ("[::]:7000", "http://[::1]:7000/"),
    ];
    let path = "ab".repeat(16);
    for (socket, begins) in rows {
        assert_eq!(address(socket, "127.0.0.1").url(), format!("{begins}{path}"), "{socket}");
    }
    let address = address("127.0.0.1:7000", "127.0.0.1");
    let paths = [(path.clone(), true), (path[..31].to_owned(), false), (format!("{path}0"), false)];
    let paths = paths.into_iter().chain([(path.to_uppercase(), false), (String::new(), false)]);
    for (path, ours) in paths {
        let uri: Uri = format!("/{path}?from=mail").parse().unwrap();
        assert_eq!(address.is_path(&uri), ours, "{path}");
    }
}
