// SPDX-License-Identifier: Apache-2.0
//! Rooms without a name, which are called after their members.

use matrix_sdk::RoomState;
use matrix_sdk::ruma::api::client::room::create_room;

use super::Person;
use crate::checks::Checks;
use crate::device::Device;
use crate::server::Server;
use crate::wait::{Outcome, ensure, until_is};

pub async fn play(checks: &mut Checks, server: &Server) -> Option<()> {
    let people = async {
        let (ada, bob) = (named(server, "Ada").await?, named(server, "Bob").await?);
        Ok((ada, bob, named(server, "Carol").await?))
    };
    let (ada, bob, carol) = checks.prepare("three users sign in", people).await?;
    let (ada, bob, carol) = (&ada.device, &bob.device, &carol.device);

    let direct = async {
        let room = ada.client.create_dm(bob.client.user_id().ok_or("not logged in")?).await?;
        let invited = bob.until_room_is(room.room_id(), RoomState::Invited).await?;
        until_is("the invited user's list", vec!["Ada".to_owned()], async || Ok(bob.room_names())).await?;
        ensure(invited.is_direct().await?, "not a direct chat")?;
        invited.join().await?;
        bob.until_room_is(room.room_id(), RoomState::Joined).await?;
        until_is("the joined user's list", vec!["Ada".to_owned()], async || Ok(bob.room_names())).await?;
        until_is("the list of the other", vec!["Bob".to_owned()], async || Ok(ada.room_names())).await
    };
    checks.check("a direct chat is called after the other member", direct).await;

    let group = async {
        let room = carol.client.create_room(create_room::v3::Request::new()).await?;
        until_is("the list of the creator", vec!["Empty Room".to_owned()], async || Ok(carol.room_names())).await?;
        carol.admit(room.room_id(), ada).await?;
        carol.admit(room.room_id(), bob).await?;
        until_is("the list of the creator", vec!["Ada, Bob".to_owned()], async || Ok(carol.room_names())).await?;
        let names = async || Ok(bob.room_names().into_iter().next().unwrap_or_default());
        until_is("the list of a member", "Ada, Carol".to_owned(), names).await?;
        until_is("the joined members", 3, async || Ok(room.joined_members_count())).await
    };
    checks.check("a group is called after its members", group).await
}

async fn named(server: &Server, name: &str) -> Outcome<Person> {
    let account = server.register(&format!("{}-names", name.to_lowercase())).await?;
    let device = Device::login(server, &account, "phone").await?;
    device.client.account().set_display_name(Some(name)).await?;
    Ok(Person { account, device })
}
