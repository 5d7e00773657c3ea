// SPDX-License-Identifier: Apache-2.0
//! A user who knocks, and rooms in a space.

use matrix_sdk::RoomState;
use matrix_sdk::ruma::OwnedRoomOrAliasId;
use matrix_sdk::ruma::room::JoinRule;

use super::person;
use crate::checks::Checks;
use crate::server::Server;
use crate::wait::until;

pub async fn play(checks: &mut Checks, server: &Server) -> Option<()> {
    let people = async { Ok((person(server, "ada-knock").await?.device, person(server, "bob-knock").await?.device)) };
    let (ada, bob) = checks.prepare("two users sign in", people).await?;
    let bob_id = bob.client.user_id()?;

    let knocked = async {
        let room = ada.create_room("Door").await?;
        room.privacy_settings().update_join_rule(JoinRule::Knock).await?;
        let door = OwnedRoomOrAliasId::from(room.room_id().to_owned());
        bob.client.knock(door, Some("let me in".to_owned()), Vec::new()).await?;
        bob.until_room_is(room.room_id(), RoomState::Knocked).await?;
        until("the host sees the knock", async || {
            let member = room.get_member_no_sync(bob_id).await?;
            Ok(member.filter(|member| member.membership().as_str() == "knock"))
        })
        .await?;
        Ok(room)
    };
    let room = checks.check("a knock is in the room list, and seen by the host", knocked).await?;

    let admitted = async {
        room.invite_user_by_id(bob_id).await?;
        bob.until_room_is(room.room_id(), RoomState::Invited).await?.join().await?;
        bob.until_room_is(room.room_id(), RoomState::Joined).await?;
        let view = bob.open(room.room_id()).await?;
        ada.send(room.room_id(), "come in").await?;
        view.until_last_is("come in").await
    };
    checks.check("a user whose knock is accepted joins", admitted).await;

    let unbanned = async {
        room.ban_user(bob_id, None).await?;
        bob.until_room_is(room.room_id(), RoomState::Banned).await?;
        room.unban_user(bob_id, None).await?;
        ada.admit(room.room_id(), &bob).await?;
        let view = bob.open(room.room_id()).await?;
        ada.send(room.room_id(), "no hard feelings").await?;
        view.until_last_is("no hard feelings").await
    };
    checks.check("a user whose ban is lifted joins again", unbanned).await.map(|_| ())
}
