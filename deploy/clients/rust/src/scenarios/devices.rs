// SPDX-License-Identifier: Apache-2.0
//! Cross-signing, and a second device that restores the key backup by recovery key.

use matrix_sdk::encryption::VerificationState;
use matrix_sdk::encryption::recovery::RecoveryState;

use super::person;
use crate::checks::Checks;
use crate::device::Device;
use crate::server::Server;
use crate::view::numbered;
use crate::wait::{ensure, until, until_is};

pub async fn play(checks: &mut Checks, server: &Server) -> Option<()> {
    let people = async { Ok((person(server, "ada-devices").await?, person(server, "bob-devices").await?)) };
    let (ada, bob) = checks.prepare("two users sign in", people).await?;
    let (phone, bob) = (&ada.device, &bob.device);

    let signed = async {
        let status = phone.client.encryption().cross_signing_status().await.ok_or("no keys")?;
        ensure(status.is_complete(), format!("{status:?}"))?;
        let state = phone.client.encryption().verification_state();
        until_is("the first device", VerificationState::Verified, async || Ok(state.get())).await
    };
    checks.check("the first login sets cross-signing up", signed).await?;

    let old = async {
        let room = phone.create_room("History").await?;
        room.enable_encryption().await?;
        phone.admit(room.room_id(), bob).await?;
        let view = phone.open(room.room_id()).await?;
        for text in numbered("old", 5) {
            bob.send(room.room_id(), &text).await?;
        }
        view.until_texts_are(&numbered("old", 5)).await?;
        Ok(room.room_id().to_owned())
    };
    let room_id = &checks.check("the first device reads encrypted messages", old).await?;

    let recovery = async {
        let recovery = phone.client.encryption().recovery();
        let key = recovery.enable().wait_for_backups_to_upload().await?;
        until_is("the recovery", RecoveryState::Enabled, async || Ok(recovery.state())).await?;
        Ok(key)
    };
    let key = checks.check("recovery is set up with a key backup", recovery).await?;

    let login = async {
        let tablet = Device::login(server, &ada.account, "tablet").await?;
        let recovery = tablet.client.encryption().recovery();
        until_is("the recovery", RecoveryState::Incomplete, async || Ok(recovery.state())).await?;
        Ok(tablet)
    };
    let tablet = checks.check("a second device learns that recovery is possible", login).await?;

    let recovered = async {
        tablet.client.encryption().recovery().recover(&key).await?;
        let state = tablet.client.encryption().verification_state();
        until_is("the second device", VerificationState::Verified, async || Ok(state.get())).await
    };
    checks.check("the recovery key verifies the second device", recovered).await?;

    let history = async {
        until("the room is there", async || Ok(tablet.client.get_room(room_id))).await?;
        let view = tablet.open(room_id).await?;
        view.page_to_start().await?;
        view.until_texts_are(&numbered("old", 5)).await?;
        Ok(view)
    };
    let view = checks.check("the second device reads the old messages from the backup", history).await?;

    let known = async {
        let (user_id, device_id) = (phone.client.user_id().ok_or("none")?, tablet.client.device_id().ok_or("none")?);
        until("the first device sees the second one as verified", async || {
            let device = phone.client.encryption().get_device(user_id, device_id).await?;
            Ok(device.filter(|device| device.is_cross_signed_by_owner()).map(|_| ()))
        })
        .await?;
        until("the other user sees both devices", async || {
            let devices = bob.client.encryption().get_user_devices(user_id).await?;
            Ok((devices.devices().filter(|device| device.is_cross_signed_by_owner()).count() == 2).then_some(()))
        })
        .await
    };
    checks.check("the other devices see the second one as verified", known).await;

    let new = async {
        bob.send(room_id, "for both").await?;
        view.until_last_is("for both").await?;
        phone.send(room_id, "from the first device").await?;
        view.until_last_is("from the first device").await
    };
    checks.check("the second device reads new messages", new).await.map(|_| ())
}
