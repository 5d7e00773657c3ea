// SPDX-License-Identifier: Apache-2.0
//! The room list and its order; paging back through a room.

use std::time::Duration;

use matrix_sdk::RoomState;

use super::person;
use crate::checks::Checks;
use crate::device::Device;
use crate::server::Server;
use crate::view::numbered;
use crate::wait::{Outcome, ensure, until_is};

/// More than the 20 rooms of the SDK's first window.
const MANY_ROOMS: usize = 24;
const MESSAGES: usize = 30;

pub async fn play(checks: &mut Checks, server: &Server) -> Option<()> {
    let ada = checks.prepare("a user signs in", person(server, "ada-rooms")).await?;
    let device = &ada.device;

    let made = async {
        let mut rooms = Vec::new();
        for name in ["Alpha", "Beta", "Gamma"] {
            rooms.push(device.create_room(name).await?);
            next_millisecond().await;
        }
        until_order(device, &["Gamma", "Beta", "Alpha"]).await?;
        Ok(rooms)
    };
    let rooms = checks.check("new rooms are in the list with their names, the newest first", made).await?;
    let alpha = rooms[0].room_id();

    let active = async {
        device.send(alpha, "now the most active one").await?;
        until_order(device, &["Alpha", "Gamma", "Beta"]).await
    };
    checks.check("a message moves its room to the top", active).await;

    let login = async {
        let tablet = Device::login(server, &ada.account, "tablet").await?;
        until_order(&tablet, &["Alpha", "Gamma", "Beta"]).await?;
        Ok(tablet)
    };
    let tablet = checks.check("a second device has the same list", login).await?;

    let mut expected = vec!["now the most active one".to_owned()];
    expected.extend(numbered("message", MESSAGES));
    let paged = async {
        for text in &expected[1..] {
            device.send(alpha, text).await?;
        }
        let view = tablet.open(alpha).await?;
        view.until_last_is(&expected[MESSAGES]).await?;
        view.page_to_start().await?;
        view.until_texts_are(&expected).await?;
        Ok(view)
    };
    let view = checks.check("paging back finds each of 30 messages once, in order", paged).await?;

    let first = async {
        let events = view.events().await;
        let types: Vec<_> = events.iter().filter_map(|event| event.content().event_type_str()).collect();
        ensure(types.first().is_some_and(|first| first == "m.room.create"), format!("{types:?}"))
    };
    checks.check("paging back ends at the first event", first).await;

    let live = async {
        device.send(alpha, "live").await?;
        expected.push("live".to_owned());
        view.until_texts_are(&expected).await
    };
    checks.check("a new message appears in the open room", live).await;

    let many = async {
        for name in numbered("room", MANY_ROOMS) {
            let room = device.create_room(&name).await?;
            tablet.until_room_is(room.room_id(), RoomState::Joined).await?;
        }
        until_is("the number of rooms", MANY_ROOMS + 3, async || Ok(tablet.room_names().len())).await?;
        let fresh = Device::login(server, &ada.account, "desktop").await?;
        until_is("the number of rooms of a new device", MANY_ROOMS + 3, async || Ok(fresh.room_names().len())).await
    };
    checks.check("the list grows beyond the first window", many).await;

    let quiet = async {
        // The first window has no place for Beta, the grown one does.
        device.send(rooms[1].room_id(), "Beta again").await?;
        until_is("the first room", Some("Beta".to_owned()), async || Ok(tablet.room_names().first().cloned())).await
    };
    checks.check("a message in the least active room moves the room to the top", quiet).await
}

async fn until_order(device: &Device, expected: &[&str]) -> Outcome<()> {
    let expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
    until_is("the room list", expected, async || Ok(device.room_names())).await
}

/// The list orders rooms by milliseconds, so rooms that are made in the same one may have any order.
async fn next_millisecond() {
    tokio::time::sleep(Duration::from_millis(2)).await;
}
