// SPDX-License-Identifier: Apache-2.0
//! A device that logs out.

use matrix_sdk::ruma::api::error::ErrorKind;
use matrix_sdk_ui::sync_service::State;

use super::person;
use crate::checks::Checks;
use crate::device::Device;
use crate::server::Server;
use crate::wait::{ensure, until, until_is};

pub async fn play(checks: &mut Checks, server: &Server) -> Option<()> {
    let devices = async {
        let ada = person(server, "ada-logout").await?;
        let tablet = Device::login(server, &ada.account, "tablet").await?;
        Ok((ada.device, tablet))
    };
    let (phone, tablet) = checks.prepare("a user signs in on two devices", devices).await?;
    let user_id = phone.client.user_id()?;
    let tablet_id = tablet.client.device_id()?;

    let both = async {
        let listed = phone.client.devices().await?.devices;
        ensure(listed.iter().any(|device| device.device_id == tablet_id), "not in the device list")?;
        until("the keys of the second device", async || {
            Ok(phone.client.encryption().get_device(user_id, tablet_id).await?)
        })
        .await
    };
    checks.check("each device sees the other", both).await?;

    let logged_out = async {
        tablet.client.logout().await?;
        let refused = tablet.client.whoami().await.err().ok_or("the token still works")?;
        let kind = refused.client_api_error_kind().ok_or_else(|| refused.to_string())?;
        ensure(matches!(kind, ErrorKind::UnknownToken { .. }), format!("{kind:?}"))
    };
    checks.check("the access token does not work after the logout", logged_out).await?;

    let stopped = async {
        until("the sync of the device fails", async || {
            Ok(matches!(tablet.sync.state().get(), State::Error(_) | State::Terminated).then_some(()))
        })
        .await
    };
    checks.check("the sync of the device ends", stopped).await;

    let gone = async {
        let listed = phone.client.devices().await?.devices;
        ensure(listed.iter().all(|device| device.device_id != tablet_id), "still in the device list")?;
        until_is("the keys of the second device are known", false, async || {
            Ok(phone.client.encryption().get_device(user_id, tablet_id).await?.is_some())
        })
        .await
    };
    checks.check("the other device sees it disappear", gone).await
}
