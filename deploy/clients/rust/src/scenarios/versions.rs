// SPDX-License-Identifier: Apache-2.0
//! A room of version 12, whose id is the hash of its first event and whose creator has unlimited power.

use matrix_sdk::ruma::RoomVersionId;
use matrix_sdk::ruma::api::client::room::create_room;

use super::person;
use crate::checks::Checks;
use crate::server::Server;
use crate::wait::{ensure, until_is};

pub async fn play(checks: &mut Checks, server: &Server) -> Option<()> {
    let people = async { Ok((person(server, "ada-twelve").await?, person(server, "bob-twelve").await?)) };
    let (ada, bob) = checks.prepare("two users sign in", people).await?;
    let (ada, bob) = (&ada.device, &bob.device);

    let made = async {
        let mut request = create_room::v3::Request::new();
        request.name = Some("Twelve".to_owned());
        request.room_version = Some(RoomVersionId::V12);
        let room = ada.client.create_room(request).await?;
        until_is("the version", Some(RoomVersionId::V12), async || Ok(room.version())).await?;
        ensure(room.room_id().server_name().is_none(), format!("{} names a server", room.room_id()))?;
        let creators = room.creators().ok_or("no creators")?;
        ensure(Some(creators[0].as_ref()) == ada.client.user_id(), format!("{creators:?}"))?;
        Ok(room.room_id().to_owned())
    };
    let room_id = &checks.check("a room of version 12 is made", made).await?;

    let used = async {
        ada.admit(room_id, bob).await?;
        let (from, to) = (ada.open(room_id).await?, bob.open(room_id).await?);
        ada.send(room_id, "hello").await?;
        to.until_last_is("hello").await?;
        bob.send(room_id, "hello to you").await?;
        from.until_last_is("hello to you").await
    };
    checks.check("two users talk in the room", used).await;

    let power = async {
        let room = bob.room(room_id)?;
        let refused = room.set_name("Mine".to_owned()).await;
        ensure(refused.is_err(), "a member without power renamed the room")?;
        ada.room(room_id)?.set_name("Twelve and more".to_owned()).await?;
        until_is("the name", vec!["Twelve and more".to_owned()], async || Ok(bob.room_names())).await
    };
    checks.check("the creator renames the room, and a member cannot", power).await
}
