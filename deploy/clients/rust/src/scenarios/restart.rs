// SPDX-License-Identifier: Apache-2.0
//! An app that is closed and opened again with its store.

use std::collections::BTreeSet;

use matrix_sdk::RoomState;
use matrix_sdk::ruma::OwnedRoomId;

use super::person;
use crate::checks::Checks;
use crate::server::Server;
use crate::view::numbered;
use crate::wait::{ensure, until, until_is};

/// More than the 20 events of the SDK's timeline.
const MISSED: usize = 25;

pub async fn play(checks: &mut Checks, server: &Server) -> Option<()> {
    let people = async { Ok((person(server, "ada-restart").await?, person(server, "bob-restart").await?)) };
    let (ada, bob) = checks.prepare("two users sign in", people).await?;
    let (phone, bob, ada_id) = (ada.device, &bob.device, &ada.account.user_id);

    let before = async {
        let mut rooms: Vec<OwnedRoomId> = Vec::new();
        for name in ["Quiet", "Lost", "Secret", "Some", "Busy"] {
            let room = bob.create_room(name).await?;
            if name == "Secret" {
                room.enable_encryption().await?;
            }
            bob.admit(room.room_id(), &phone).await?;
            let view = phone.open(room.room_id()).await?;
            bob.send(room.room_id(), "before").await?;
            view.until_last_is("before").await?;
            rooms.push(room.room_id().to_owned());
        }
        until_is("the number of rooms", 5, async || Ok(phone.room_names().len())).await?;
        Ok(rooms)
    };
    let rooms = checks.prepare("a device reads five rooms", before).await?;
    let [quiet, lost, secret, some, busy] = rooms.as_slice() else { return None };

    let closed = async {
        let closed = phone.close().await?;
        for text in numbered("missed", MISSED) {
            bob.send(busy, &text).await?;
        }
        for text in numbered("missed", 3) {
            bob.send(some, &text).await?;
            bob.send(secret, &text).await?;
        }
        bob.room(lost)?.kick_user(ada_id, None).await?;
        let new = bob.create_room("New").await?;
        new.invite_user_by_id(ada_id).await?;
        Ok((closed, new.room_id().to_owned()))
    };
    let (closed, new) = checks.prepare("its app is closed, while the other user is active", closed).await?;

    let reopened = async {
        let phone = closed.reopen(server).await?;
        let names = BTreeSet::from(["Busy", "Some", "Secret", "Lost", "Quiet"].map(str::to_owned));
        until_is("the room list", names, async || Ok(phone.room_names().into_iter().collect())).await?;
        Ok(phone)
    };
    let phone = checks.check("the opened app shows its rooms before it syncs", reopened).await?;

    let resumed = async {
        let mut updates = phone.client.subscribe_to_all_room_updates();
        phone.start().await?;
        let mut seen = BTreeSet::new();
        let missed = BTreeSet::from([busy.clone(), some.clone(), secret.clone()]);
        until("the rooms with new messages", async || {
            while let Ok(update) = updates.try_recv() {
                seen.extend(update.joined.into_keys());
            }
            Ok(seen.is_superset(&missed).then_some(()))
        })
        .await?;
        ensure(!seen.contains(quiet), "a room without news was sent again")
    };
    checks.check("the sync continues from the stored position", resumed).await;

    let members = async {
        phone.until_room_is(lost, RoomState::Left).await?;
        phone.until_room_is(&new, RoomState::Invited).await
    };
    checks.check("a kick and an invitation of that time are in the room list", members).await;

    let mut expected = vec!["before".to_owned()];
    expected.extend(numbered("missed", MISSED));
    let gap = async {
        let view = phone.open(busy).await?;
        view.until_last_is(&expected[MISSED]).await?;
        view.page_to_start().await?;
        view.until_texts_are(&expected).await?;
        Ok(view)
    };
    let view = checks.check("25 missed messages are there once, in order", gap).await?;

    let mut few = vec!["before".to_owned()];
    few.extend(numbered("missed", 3));
    let others = async {
        let other = phone.open(some).await?;
        other.page_to_start().await?;
        other.until_texts_are(&few).await
    };
    checks.check("missed messages of another room are there once", others).await;

    let encrypted = async {
        let other = phone.open(secret).await?;
        other.page_to_start().await?;
        other.until_texts_are(&few).await
    };
    checks.check("missed encrypted messages are decrypted", encrypted).await;

    let live = async {
        bob.send(busy, "live again").await?;
        expected.push("live again".to_owned());
        view.until_texts_are(&expected).await
    };
    checks.check("new messages arrive", live).await
}
