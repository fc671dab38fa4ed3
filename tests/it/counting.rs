//! What `/metrics` tells of deliveries: the driver between a gateway and a surface that the test plays itself.

use std::sync::Arc;

use askrelay::accounts::Accounts;
use askrelay::driver::{Driver, Ports};
use askrelay_core::port::{Failure, FailureKind, Notice, Order, Receipt, Report};
use askrelay_core::time::Span;
use askrelay_gateway::metrics::Metrics;
use askrelay_store::MemoryStore;
use tokio::sync::{mpsc, watch};

use crate::paper::{config, place, record};

/// What the surface reports of each Record's Prompt, and the lines that are there afterwards.
async fn check(row: &str, outcomes: &[Option<FailureKind>], lines: &[&str]) {
    let metrics = Metrics::new();
    let (notices, noticed) = mpsc::channel(8);
    let (reports, reported) = mpsc::channel(8);
    let (orders, mut ordered) = mpsc::channel(8);
    let ports = Ports {
        notices: noticed,
        errands: [].into(),
        reports: reported,
        orders: [(place().account, orders)].into(),
        beginnings: watch::channel(Vec::new()).0,
        metrics: metrics.clone(),
        accounts: Accounts::default(),
    };
    let driver = Driver::recover(config(), Arc::new(MemoryStore::default()), ports).unwrap();
    let played = async {
        reports.send(Report::Online { account: place().account }).await.unwrap();
        for notice in [Notice::Online { boot: None }, Notice::Snapshot { records: Vec::new(), last: true }] {
            notices.send(("local".into(), notice)).await.unwrap();
        }
        for (number, outcome) in outcomes.iter().enumerate() {
            notices.send(("local".into(), Notice::Opened(record(&number.to_string())))).await.unwrap();
            let Some(Order::Show { send, place, .. }) = ordered.recv().await else {
                panic!("{row}: the Prompt is to be shown");
            };
            let receipt = Receipt { place, messages: vec![format!("m{number}").into()] };
            let why = "told so".to_owned();
            let report = match outcome {
                None => Report::Shown { send, receipt, position: None },
                Some(kind) => Report::Failed { send, failure: Failure { kind: *kind, why } },
            };
            reports.send(report).await.unwrap();
        }
        // Taken before the loop ends: it takes what waits in line first.
        while reports.capacity() < reports.max_capacity() {
            tokio::task::yield_now().await;
        }
        drop(notices);
    };
    tokio::join!(driver.run(), played);
    let text = metrics.render();
    for line in lines {
        assert!(text.lines().any(|found| found == *line), "{row}: {line} in:\n{text}");
    }
}

#[tokio::test]
async fn deliveries_and_failures_are_counted_by_surface() {
    let shown = r#"askrelay_deliveries_total{surface="paper"} 2"#;
    check("shown twice", &[None, None], &[shown]).await;
    let limited = r#"askrelay_delivery_failures_total{surface="paper",reason="limited"} 1"#;
    let refused = r#"askrelay_delivery_failures_total{surface="paper",reason="refused"} 1"#;
    let unreachable = r#"askrelay_delivery_failures_total{surface="paper",reason="unreachable"} 1"#;
    let outcomes = [
        None,
        Some(FailureKind::Later(Span::seconds(600))),
        Some(FailureKind::Refused),
        Some(FailureKind::Unreachable),
        None,
    ];
    check("one of each", &outcomes, &[shown, limited, refused, unreachable]).await;
}
