// SPDX-License-Identifier: Apache-2.0
//! Changes of profiles and of a room's name, topic and picture.

use matrix_sdk::media::MediaFormat;
use matrix_sdk::ruma::events::room::member::MembershipState;

use super::person;
use crate::checks::Checks;
use crate::server::Server;
use crate::wait::{ensure, until_is};

const PICTURE: &[u8] = include_bytes!("../../../page/picture.png");

pub async fn play(checks: &mut Checks, server: &Server) -> Option<()> {
    let people = async {
        let (ada, bob) = (person(server, "ada-profile").await?, person(server, "bob-profile").await?);
        let room = ada.device.create_room("Before").await?;
        ada.device.admit(room.room_id(), &bob.device).await?;
        Ok((ada.device, bob.device, room))
    };
    let (ada, bob, room) = checks.prepare("two users share a room", people).await?;
    let ada_id = ada.client.user_id()?;
    let other = checks.prepare("the other user has the room", async { bob.room(room.room_id()) }).await?;
    let png = "image/png".parse().ok()?;

    let name = async {
        ada.client.account().set_display_name(Some("Ada Lovelace")).await?;
        until_is("the display name", Some("Ada Lovelace".to_owned()), async || {
            let member = other.get_member(ada_id).await?;
            Ok(member.and_then(|member| member.display_name().map(ToOwned::to_owned)))
        })
        .await
    };
    checks.check("a display name is seen by the other", name).await;

    let avatar = async {
        let uri = ada.client.account().upload_avatar(&png, PICTURE.to_vec()).await?;
        until_is("the avatar", Some(uri), async || {
            Ok(other.get_member(ada_id).await?.and_then(|member| member.avatar_url().map(ToOwned::to_owned)))
        })
        .await?;
        let member = other.get_member(ada_id).await?.ok_or("no member")?;
        ensure(*member.membership() == MembershipState::Join, "not joined")?;
        let picture = member.avatar(MediaFormat::File).await?.ok_or("no picture")?;
        ensure(picture == PICTURE, "another picture")
    };
    checks.check("an avatar is seen by the other, and is the picture", avatar).await;

    let renamed = async {
        room.set_name("After".to_owned()).await?;
        until_is("the room list", vec!["After".to_owned()], async || Ok(bob.room_names())).await
    };
    checks.check("a new room name is in the other's room list", renamed).await;

    let topic = async {
        room.set_room_topic("what we talk about").await?;
        until_is("the topic", Some("what we talk about".to_owned()), async || Ok(other.topic())).await
    };
    checks.check("a topic is seen by the other", topic).await;

    let picture = async {
        let info = None;
        room.upload_avatar(&png, PICTURE.to_vec(), info).await?;
        until_is("the room has a picture", true, async || Ok(other.avatar_url().is_some())).await
    };
    checks.check("the picture of a room is seen by the other", picture).await
}
