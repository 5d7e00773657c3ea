// SPDX-License-Identifier: Apache-2.0
//! What an app fetches for a push, over a sliding sync connection of its own.

use matrix_sdk::RoomState;
use matrix_sdk::ruma::{EventId, RoomId};
use matrix_sdk_ui::notification_client::{
    NotificationClient, NotificationItem, NotificationProcessSetup, NotificationStatus,
};

use super::person;
use crate::checks::Checks;
use crate::device::Device;
use crate::server::Server;
use crate::wait::{Outcome, ensure, until};

pub async fn play(checks: &mut Checks, server: &Server) -> Option<()> {
    let people = async {
        let (ada, bob) = (person(server, "ada-push").await?, person(server, "bob-push").await?);
        let plain = ada.device.create_room("Plain").await?;
        let secret = ada.device.create_room("Secret").await?;
        secret.enable_encryption().await?;
        for room in [&plain, &secret] {
            ada.device.admit(room.room_id(), &bob.device).await?;
        }
        Ok((ada.device, bob.device, plain, secret))
    };
    let (ada, bob, plain, secret) = checks.prepare("two users share two rooms", people).await?;

    let message = async {
        let event_id = ada.send(plain.room_id(), "hello").await?;
        let item = notification(&bob, plain.room_id(), &event_id).await?;
        ensure(item.room_computed_display_name == "Plain", item.room_computed_display_name)?;
        ensure(item.is_noisy == Some(true), "the rule for rooms of two has no sound")
    };
    checks.check("the notification of a message", message).await;

    let encrypted = async {
        let event_id = ada.send(secret.room_id(), "a secret").await?;
        until("the decrypted message", async || {
            let item = notification(&bob, secret.room_id(), &event_id).await?;
            let raw = format!("{:?}", item.event);
            Ok(raw.contains("a secret").then_some(()))
        })
        .await
    };
    checks.check("the notification of an encrypted message", encrypted).await;

    let invitation = async {
        let room = ada.create_room("Party").await?;
        room.invite_user_by_id(bob.client.user_id().ok_or("not logged in")?).await?;
        let invited = bob.until_room_is(room.room_id(), RoomState::Invited).await?;
        let item = until("the invitation", async || {
            // The SDK looks for an invitation among the invited rooms, whatever the event id is.
            let event_id = EventId::parse("$invitation")?;
            Ok(notification(&bob, invited.room_id(), &event_id).await.ok())
        })
        .await?;
        ensure(item.room_computed_display_name == "Party", item.room_computed_display_name)?;
        ensure(Some(item.event.sender()) == ada.client.user_id(), "invited by another")
    };
    checks.check("the notification of an invitation", invitation).await
}

async fn notification(device: &Device, room_id: &RoomId, event_id: &EventId) -> Outcome<NotificationItem> {
    let setup = NotificationProcessSetup::SingleProcess { sync_service: device.sync.clone() };
    let client = NotificationClient::new(device.client.clone(), setup).await?;
    match client.get_notification_with_sliding_sync(room_id, event_id).await? {
        NotificationStatus::Event(item) => Ok(*item),
        other => Err(format!("{other:?}").into()),
    }
}
