// SPDX-License-Identifier: Apache-2.0
//! Two users in an encrypted room.

use matrix_sdk::RoomState;
use matrix_sdk::room::edit::EditedContent;
use matrix_sdk::ruma::events::room::message::RoomMessageEventContentWithoutRelation;

use super::person;
use crate::checks::Checks;
use crate::server::Server;
use crate::view::item_id;
use crate::wait::{ensure, until, until_is};

pub async fn play(checks: &mut Checks, server: &Server) -> Option<()> {
    let people = async { Ok((person(server, "ada-secret").await?, person(server, "bob-secret").await?)) };
    let (ada, bob) = checks.prepare("two users sign in", people).await?;
    let (ada, bob) = (&ada.device, &bob.device);

    let made = async {
        let room = ada.create_room("Secrets").await?;
        room.enable_encryption().await?;
        ensure(room.latest_encryption_state().await?.is_encrypted(), "not encrypted")?;
        room.invite_user_by_id(bob.client.user_id().ok_or("not logged in")?).await?;
        Ok(room.room_id().to_owned())
    };
    let room_id = &checks.prepare("a room is encrypted, and a user invited", made).await?;

    let invitation = async {
        let room = bob.until_room_is(room_id, RoomState::Invited).await?;
        let inviter = room.invite_details().await?.inviter.ok_or("no inviter")?;
        ensure(Some(inviter.user_id()) == ada.client.user_id(), format!("invited by {}", inviter.user_id()))?;
        until_is("the room list", vec!["Secrets".to_owned()], async || Ok(bob.room_names())).await
    };
    checks.check("the invitation is in the room list, with name and inviter", invitation).await?;

    let joined = async {
        bob.room(room_id)?.join().await?;
        let room = bob.until_room_is(room_id, RoomState::Joined).await?;
        until("the joined room is encrypted", async || Ok(room.encryption_state().is_encrypted().then_some(())))
            .await?;
        until_is("the joined members", 2, async || Ok(ada.room(room_id)?.joined_members_count())).await
    };
    checks.check("the invited user joins", joined).await?;

    let first = async {
        let (from, to) = (ada.open(room_id).await?, bob.open(room_id).await?);
        ada.send(room_id, "a secret").await?;
        let event_id = to.until_last_is("a secret").await?;
        ensure(to.event(&event_id).await?.encryption_info().is_some(), "sent unencrypted")?;
        Ok((from, to, event_id))
    };
    let (from, to, event_id) = checks.check("the message of one is decrypted by the other", first).await?;

    let answer = async {
        bob.send(room_id, "an answer").await?;
        from.until_last_is("an answer").await
    };
    let answer_id = checks.check("and the answer by the first", answer).await?;

    let reaction = async {
        to.event(&event_id).await?;
        to.timeline.toggle_reaction(&item_id(&event_id), "+1").await?;
        let bob_id = bob.client.user_id().ok_or("not logged in")?;
        until("the reaction", async || {
            let event = from.event(&event_id).await?;
            let reactions = event.content().reactions();
            Ok(reactions.and_then(|by_key| by_key.get("+1")?.get(bob_id)).map(|_| ()))
        })
        .await
    };
    checks.check("a reaction is seen by the other", reaction).await;

    let edit = async {
        from.event(&event_id).await?;
        let text = RoomMessageEventContentWithoutRelation::text_plain("a changed secret");
        from.timeline.edit(&item_id(&event_id), EditedContent::RoomMessage(text)).await?;
        let expected = ["a changed secret", "an answer"].map(str::to_owned);
        to.until_texts_are(&expected).await?;
        let event = to.event(&event_id).await?;
        ensure(event.content().as_message().is_some_and(|message| message.is_edited()), "not marked as edited")
    };
    checks.check("an edit is seen by the other", edit).await;

    let redaction = async {
        to.timeline.redact(&item_id(&answer_id), Some("no answer")).await?;
        until("the message is redacted", async || {
            Ok(from.event(&answer_id).await?.content().is_redacted().then_some(()))
        })
        .await
    };
    checks.check("a redaction is seen by the other", redaction).await
}
