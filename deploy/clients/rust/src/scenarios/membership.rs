// SPDX-License-Identifier: Apache-2.0
//! Rooms that end for a user, and invitations answered on another device.

use matrix_sdk::RoomState;
use matrix_sdk::ruma::OwnedRoomId;

use super::person;
use crate::checks::Checks;
use crate::device::Device;
use crate::server::Server;
use crate::wait::{Outcome, until_is};

pub async fn play(checks: &mut Checks, server: &Server) -> Option<()> {
    let people = async {
        let (ada, bob) = (person(server, "ada-members").await?, person(server, "bob-members").await?);
        let tablet = Device::login(server, &bob.account, "tablet").await?;
        Ok((ada.device, bob.device, tablet))
    };
    let (ada, phone, tablet) = checks.prepare("two users sign in, one with two devices", people).await?;
    let (ada, phone, tablet) = (&ada, &phone, &tablet);
    let bob_id = phone.client.user_id()?;

    let kicked = async {
        let room = ada.create_room("Kicked").await?;
        ada.admit(room.room_id(), phone).await?;
        room.kick_user(bob_id, Some("out")).await?;
        phone.until_room_is(room.room_id(), RoomState::Left).await?;
        tablet.until_room_is(room.room_id(), RoomState::Left).await?;
        Ok(room)
    };
    let kicked = checks.check("a kicked user has left the room on both devices", kicked).await;

    let banned = async {
        let room = ada.create_room("Banned").await?;
        ada.admit(room.room_id(), phone).await?;
        room.ban_user(bob_id, Some("out for good")).await?;
        phone.until_room_is(room.room_id(), RoomState::Banned).await?;
        tablet.until_room_is(room.room_id(), RoomState::Banned).await
    };
    checks.check("a banned user is banned on both devices", banned).await;

    let declined = async {
        let room_id = invitation(ada, "Declined", phone, tablet).await?;
        tablet.room(&room_id)?.leave().await?;
        phone.until_room_is(&room_id, RoomState::Left).await
    };
    checks.check("an invitation declined on another device disappears", declined).await;

    let revoked = async {
        let room_id = invitation(ada, "Revoked", phone, tablet).await?;
        ada.room(&room_id)?.kick_user(bob_id, None).await?;
        phone.until_room_is(&room_id, RoomState::Left).await?;
        tablet.until_room_is(&room_id, RoomState::Left).await
    };
    checks.check("a revoked invitation disappears", revoked).await;

    let accepted = async {
        let room_id = invitation(ada, "Accepted", phone, tablet).await?;
        tablet.room(&room_id)?.join().await?;
        phone.until_room_is(&room_id, RoomState::Joined).await?;
        let view = phone.open(&room_id).await?;
        ada.send(&room_id, "welcome").await?;
        view.until_last_is("welcome").await?;
        Ok(room_id)
    };
    let accepted = checks.check("an invitation accepted on another device becomes a joined room", accepted).await;

    let left = async {
        let room_id = accepted.ok_or("no joined room")?;
        tablet.room(&room_id)?.leave().await?;
        phone.until_room_is(&room_id, RoomState::Left).await
    };
    checks.check("a room left on another device disappears", left).await;

    let again = async {
        let room = kicked.ok_or("no kicked user")?;
        ada.send(room.room_id(), "while away").await?;
        ada.admit(room.room_id(), phone).await?;
        let view = phone.open(room.room_id()).await?;
        ada.send(room.room_id(), "here again").await?;
        view.until_last_is("here again").await?;
        until_is("the other device has the room", true, async || Ok(tablet.lists(room.room_id()))).await
    };
    checks.check("a kicked user who is invited again reads the room", again).await
}

/// A new room whose invitation has arrived on both devices.
async fn invitation(host: &Device, name: &str, phone: &Device, tablet: &Device) -> Outcome<OwnedRoomId> {
    let room = host.create_room(name).await?;
    room.invite_user_by_id(phone.client.user_id().ok_or("not logged in")?).await?;
    phone.until_room_is(room.room_id(), RoomState::Invited).await?;
    tablet.until_room_is(room.room_id(), RoomState::Invited).await?;
    Ok(room.room_id().to_owned())
}
