//! Who is whose: people of our team or organisation, and guests of others in conversations that are shared with them.

use askrelay_core::id::Identity;
use askrelay_core::port::Report;
use askrelay_kit::slack::{App, Channel, Person, Post, StandIn};
use tokio::sync::mpsc::{Sender, channel as queue};

use crate::room::{config, identity, place};
use crate::show;

/// The surface of an app, and what it reports.
struct Scene {
    orders: Sender<askrelay_core::port::Order>,
    reports: tokio::sync::mpsc::Receiver<Report>,
}

impl Scene {
    async fn of(stand_in: &StandIn, app: &App) -> Self {
        let (orders, surface_orders) = queue(16);
        let (surface_reports, reports) = queue(16);
        tokio::spawn(askrelay_slack::run(config(stand_in, app), surface_orders, surface_reports));
        app.until_connected(1).await;
        Self { orders, reports }
    }

    /// Whom it takes a person for who writes, mentions the bot and presses there.
    async fn taken_for(&mut self, app: &App, person: &Person, room: &Channel) -> Vec<Identity> {
        let question = format!("Which colour, {}?", person.id());
        let here =
            if room.id().starts_with('D') { format!("@{}", person.id()) } else { room.id().to_owned() };
        let send = format!("{} in {}", person.id(), room.id());
        self.orders.send(show(&send, place(&here), &question, &["Red"])).await.unwrap();
        let seen = room.until_seen(&question).await;
        person.write(room, "hello");
        person.send(room, Post::text("2").mentioning(app));
        person.tap(room, &seen.ts, "Red");
        let count = if room.id().starts_with('D') { 3 } else { 4 };
        let mut taken = Vec::new();
        while taken.len() < count {
            if let Report::Replied(reply) = self.reports.recv().await.unwrap() {
                taken.push(reply.sender.identity);
            }
        }
        taken
    }
}

#[tokio::test]
async fn in_an_organisation_a_person_is_one_of_it_everywhere() {
    let stand_in = StandIn::start();
    let organisation = stand_in.enterprise("Org");
    let (first, second) = (organisation.team("One"), organisation.team("Two"));
    let app = organisation.app("askbot");
    let mut scene = Scene::of(&stand_in, &app).await;
    for person in [first.person("Sam"), second.person("Lee")] {
        let team = first.channel("team");
        team.share_with(&second);
        team.add_app(&app);
        team.add(&person);
        for room in [person.open(&app), team] {
            for taken in scene.taken_for(&app, &person, &room).await {
                assert_eq!(taken, identity(organisation.id(), person.id()));
            }
        }
    }
}

#[tokio::test]
async fn a_guest_is_never_one_of_ours() {
    let stand_in = StandIn::start();
    let (ours, theirs) = (stand_in.enterprise("Org"), stand_in.enterprise("Others"));
    let home = ours.team("One");
    for app in [ours.app("askbot"), home.app("askbot")] {
        let mut scene = Scene::of(&stand_in, &app).await;
        for their_team in [stand_in.team("Alone"), theirs.team("Grid")] {
            // Whoever of the two made it.
            for (host, other) in [(&home, &their_team), (&their_team, &home)] {
                let guest = their_team.person("Guest");
                let shared = host.channel("shared");
                shared.share_with(other);
                shared.add_app(&app);
                shared.add(&guest);
                for room in [shared, guest.open(&app)] {
                    for taken in scene.taken_for(&app, &guest, &room).await {
                        let theirs = [their_team.id(), theirs.id()].map(|id| identity(id, guest.id()));
                        assert!(theirs.contains(&taken), "{taken:?}");
                    }
                }
            }
        }
    }
}

/// People are known by the workspaces of the organisation, of which the platform tells a page at a time, and which can grow.
#[tokio::test]
async fn workspaces_that_join_the_organisation_are_learnt() {
    let stand_in = StandIn::start();
    let organisation = stand_in.enterprise("Org");
    organisation.team("One");
    let app = organisation.app("askbot");
    let mut scene = Scene::of(&stand_in, &app).await;
    let late = organisation.team("Late");
    let looks = stand_in.calls_of("auth.teams.list").len();
    stand_in.until_called("auth.teams.list", looks + 2).await;
    let person = late.person("Lee");
    let dm = person.open(&app);
    for taken in scene.taken_for(&app, &person, &dm).await {
        assert_eq!(taken, identity(organisation.id(), person.id()));
    }
}
