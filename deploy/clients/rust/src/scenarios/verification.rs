// SPDX-License-Identifier: Apache-2.0
//! A device that is verified by another one of the same user, with emojis.

use std::time::Duration;

use futures_util::{Stream, StreamExt};
use matrix_sdk::encryption::VerificationState;
use matrix_sdk::encryption::verification::{SasState, SasVerification, VerificationRequestState};

use super::person;
use crate::checks::Checks;
use crate::device::Device;
use crate::server::Server;
use crate::wait::{Outcome, allowed, ensure, until, until_is};

pub async fn play(checks: &mut Checks, server: &Server) -> Option<()> {
    let devices = async {
        let ada = person(server, "ada-emoji").await?;
        let tablet = Device::login(server, &ada.account, "tablet").await?;
        Ok((ada.device, tablet))
    };
    let (phone, tablet) = checks.prepare("a user signs in on two devices", devices).await?;
    let user_id = phone.client.user_id()?;

    let verified = async {
        let encryption = phone.client.encryption();
        let tablet_id = tablet.client.device_id().ok_or("not logged in")?;
        // A device drops requests of devices that it does not know.
        let phone_id = phone.client.device_id().ok_or("not logged in")?;
        until("the new device knows the first", async || {
            Ok(tablet.client.encryption().get_device(user_id, phone_id).await?)
        })
        .await?;
        let device =
            until("the first device knows the new", async || Ok(encryption.get_device(user_id, tablet_id).await?))
                .await?;
        let request = device.request_verification().await?;
        let flow = request.flow_id();
        let incoming = until("the verification request", async || {
            Ok(tablet.client.encryption().get_verification_request(user_id, flow).await)
        })
        .await?;
        incoming.accept().await?;
        reached(request.changes(), |state| matches!(state, VerificationRequestState::Ready { .. })).await?;
        let sas = request.start_sas().await?.ok_or("no emojis")?;
        let other = until("the start of the emojis", async || {
            Ok(tablet.client.encryption().get_verification(user_id, flow).await.and_then(|started| started.sas()))
        })
        .await?;
        other.accept().await?;
        let (shown, seen) = (emojis(&sas).await?, emojis(&other).await?);
        ensure(shown == seen, format!("{shown:?} and {seen:?}"))?;
        sas.confirm().await?;
        other.confirm().await?;
        reached(sas.changes(), |state| matches!(state, SasState::Done { .. })).await?;
        let state = tablet.client.encryption().verification_state();
        until_is("the new device", VerificationState::Verified, async || Ok(state.get())).await
    };
    checks.check("the first device verifies the second with emojis", verified).await?;

    let secrets = async {
        until("the new device has the cross-signing keys", async || {
            let status = tablet.client.encryption().cross_signing_status().await;
            Ok(status.filter(|status| status.is_complete()).map(|_| ()))
        })
        .await
    };
    checks.check("the second device gets the cross-signing keys of the first", secrets).await
}

async fn emojis(sas: &SasVerification) -> Outcome<Vec<&'static str>> {
    let emojis = until("the emojis", async || Ok(sas.emoji())).await?;
    Ok(emojis.iter().map(|emoji| emoji.symbol).collect())
}

async fn reached<S>(changes: impl Stream<Item = S>, is_expected: impl Fn(&S) -> bool) -> Outcome<()> {
    let mut expected = std::pin::pin!(changes.filter(|state| std::future::ready(is_expected(state))));
    let limit: Duration = allowed();
    let state = tokio::time::timeout(limit, expected.next()).await?;
    ensure(state.is_some(), "the verification ended early")
}
