// SPDX-License-Identifier: Apache-2.0
//! Typing, receipts, unread counts and account data.

use matrix_sdk::ruma::api::client::receipt::create_receipt::v3::ReceiptType;

use super::person;
use crate::checks::Checks;
use crate::device::Device;
use crate::server::Server;
use crate::wait::{until, until_is};

pub async fn play(checks: &mut Checks, server: &Server) -> Option<()> {
    let people = async {
        let (ada, bob) = (person(server, "ada-reading").await?, person(server, "bob-reading").await?);
        let tablet = Device::login(server, &ada.account, "tablet").await?;
        let room = ada.device.create_room("Reading").await?;
        ada.device.admit(room.room_id(), &bob.device).await?;
        until("the second device has the room", async || Ok(tablet.client.get_room(room.room_id()))).await?;
        Ok((ada.device, tablet, bob.device, room.room_id().to_owned()))
    };
    let (phone, tablet, bob, room_id) = checks.prepare("two users share a room, one with two devices", people).await?;
    let (ada_id, bob_id) = (phone.client.user_id()?, bob.client.user_id()?);
    let views = async { Ok((phone.open(&room_id).await?, bob.open(&room_id).await?)) };
    let (ada_view, bob_view) = checks.prepare("both open the room", views).await?;

    let typing = async {
        let (_guard, mut typing) = phone.room(&room_id)?.subscribe_to_typing_notifications();
        let room = bob.room(&room_id)?;
        room.typing_notice(true).await?;
        until("the other user types", async || Ok(typing.try_recv().ok().filter(|users| users == &[bob_id]))).await?;
        room.typing_notice(false).await?;
        until("the other user stops typing", async || Ok(typing.try_recv().ok().filter(Vec::is_empty))).await
    };
    checks.check("typing is seen by the other, and its end", typing).await;

    let receipt = async {
        phone.send(&room_id, "read me").await?;
        let event_id = bob_view.until_last_is("read me").await?;
        bob_view.timeline.send_single_receipt(ReceiptType::Read, event_id.clone()).await?;
        until("the read receipt", async || Ok(ada_view.is_read_by(bob_id, &event_id).await.then_some(()))).await
    };
    checks.check("a read receipt is seen by the other", receipt).await;

    let counted = async {
        let mut last = None;
        for text in ["one", "two", "three"] {
            last = Some(bob.send(&room_id, text).await?);
        }
        for device in [&phone, &tablet] {
            let room = device.room(&room_id)?;
            until_is("notification_count", 3, async || Ok(room.unread_notification_counts().notification_count))
                .await?;
        }
        let room = phone.room(&room_id)?;
        until_is("the unread messages that the SDK counts", 3, async || Ok(room.num_unread_messages())).await?;
        Ok(last.ok_or("nothing sent")?)
    };
    let last = checks.check("unread counts rise on both devices", counted).await?;

    let read = async {
        ada_view.until_last_is("three").await?;
        ada_view.timeline.send_single_receipt(ReceiptType::Read, last.clone()).await?;
        for device in [&phone, &tablet] {
            let room = device.room(&room_id)?;
            until_is("notification_count", 0, async || Ok(room.unread_notification_counts().notification_count))
                .await?;
            until_is("the unread messages that the SDK counts", 0, async || Ok(room.num_unread_messages())).await?;
        }
        until("the other user sees the receipt", async || Ok(bob_view.is_read_by(ada_id, &last).await.then_some(())))
            .await
    };
    checks.check("a read receipt makes them 0 on both devices", read).await;

    let private = async {
        bob.send(&room_id, "read in private").await?;
        let event_id = ada_view.until_last_is("read in private").await?;
        let room = tablet.room(&room_id)?;
        until_is("notification_count", 1, async || Ok(room.unread_notification_counts().notification_count)).await?;
        ada_view.timeline.send_single_receipt(ReceiptType::ReadPrivate, event_id).await?;
        until_is("notification_count", 0, async || Ok(room.unread_notification_counts().notification_count)).await
    };
    checks.check("a private read receipt too", private).await;

    let favourite = async {
        let room = tablet.room(&room_id)?;
        phone.room(&room_id)?.set_is_favourite(true, None).await?;
        until_is("favourite", true, async || Ok(room.is_favourite())).await?;
        phone.room(&room_id)?.set_is_favourite(false, None).await?;
        until_is("favourite", false, async || Ok(room.is_favourite())).await
    };
    checks.check("a favourite is seen on the second device, and its end", favourite).await;

    let direct = async {
        phone.room(&room_id)?.set_is_direct(true).await?;
        let room = tablet.room(&room_id)?;
        until_is("direct", true, async || Ok(room.is_direct().await?)).await
    };
    checks.check("a direct chat is seen on the second device", direct).await;

    let unread = async {
        phone.room(&room_id)?.set_unread_flag(true).await?;
        let room = tablet.room(&room_id)?;
        until_is("marked as unread", true, async || Ok(room.is_marked_unread())).await
    };
    checks.check("a room marked as unread is seen on the second device", unread).await
}
