// SPDX-License-Identifier: Apache-2.0
//! Registration, login, and the start of the sync.

use matrix_sdk::sliding_sync::Version;
use matrix_sdk_ui::room_list_service::{RoomListLoadingState, State};

use crate::checks::Checks;
use crate::device::Device;
use crate::server::{Account, Server};
use crate::wait::{ensure, until};

pub async fn play(checks: &mut Checks, server: &Server) -> Option<()> {
    let accounts = async { Ok([server.register("ada").await?, server.register("bob").await?]) };
    let [ada, bob] = checks.check("two users register", accounts).await?;

    let wrong = async {
        let account = Account { password: "wrong".to_owned(), name: ada.name.clone(), user_id: ada.user_id.clone() };
        let login = Device::login_without_sync(server, &account, "stranger").await;
        let refusal = login.err().ok_or("logged in")?.to_string();
        ensure(refusal.contains("M_FORBIDDEN"), refusal)
    };
    checks.check("a wrong password is refused", wrong).await;

    let logins = async {
        let ada_device = Device::login_without_sync(server, &ada, "phone").await?;
        Ok([ada_device, Device::login_without_sync(server, &bob, "phone").await?])
    };
    let [device, other] = checks.check("both log in with their passwords", logins).await?;

    let version = async { ensure(matches!(device.client.sliding_sync_version(), Version::Native), "no sliding sync") };
    checks.check("the client discovers sliding sync", version).await?;

    let start = async {
        device.start().await?;
        other.start().await
    };
    checks.check("the sync services run", start).await?;

    let loaded = async {
        let service = device.sync.room_list_service();
        until("the room list service runs", async || Ok(matches!(service.state().get(), State::Running).then_some(())))
            .await?;
        let list = service.all_rooms().await?;
        let state = list.loading_state();
        let empty = RoomListLoadingState::Loaded { maximum_number_of_rooms: Some(0) };
        until("the room list is loaded, without rooms", async || Ok((state.get() == empty).then_some(()))).await
    };
    checks.check("the room list of a new user is loaded and empty", loaded).await
}
