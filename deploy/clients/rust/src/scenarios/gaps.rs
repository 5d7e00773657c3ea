// SPDX-License-Identifier: Apache-2.0
//! Messages that arrive while nobody looks at the room, and while the app is in the background.

use matrix_sdk_ui::timeline::{RoomExt, TimelineEventFocusThreadMode, TimelineFocus};

use super::person;
use crate::checks::Checks;
use crate::server::Server;
use crate::view::{View, numbered};
use crate::wait::{until, until_is};

/// More than the one event of the list, and than the 20 events of an open room.
const MISSED: usize = 25;

pub async fn play(checks: &mut Checks, server: &Server) -> Option<()> {
    let people = async {
        let (ada, bob) = (person(server, "ada-gaps").await?.device, person(server, "bob-gaps").await?.device);
        let (open, closed) = (bob.create_room("Open").await?, bob.create_room("Closed").await?);
        for room in [&open, &closed] {
            bob.admit(room.room_id(), &ada).await?;
            bob.send(room.room_id(), "before").await?;
        }
        Ok((ada, bob, open.room_id().to_owned(), closed.room_id().to_owned()))
    };
    let (ada, bob, open, closed) = checks.prepare("two users share two rooms", people).await?;
    let mut expected = vec!["before".to_owned()];
    let mut message_ids = Vec::new();

    let unseen = async {
        ada.open(&open).await?.until_last_is("before").await?;
        for text in numbered("unseen", MISSED) {
            message_ids.push(bob.send(&closed, &text).await?);
        }
        expected.extend(numbered("unseen", MISSED));
        until_is("the top of the list", Some("Closed".to_owned()), async || Ok(ada.room_names().first().cloned()))
            .await?;
        let view = ada.open(&closed).await?;
        view.until_last_is("unseen 25").await?;
        view.page_to_start().await?;
        view.until_texts_are(&expected).await?;
        Ok(view)
    };
    let view = checks.check("messages of a room that is not open are there once, in order", unseen).await?;

    let background = async {
        ada.sync.stop().await;
        for text in numbered("asleep", MISSED) {
            bob.send(&closed, &text).await?;
        }
        ada.start().await?;
        view.until_last_is("asleep 25").await?;
        view.page_to_start().await?;
        expected.extend(numbered("asleep", MISSED));
        view.until_texts_are(&expected).await
    };
    checks.check("messages sent while the app is in the background too", background).await;

    let expired = async {
        ada.sync.stop().await;
        ada.sync.expire_sessions().await;
        for text in numbered("expired", MISSED) {
            bob.send(&closed, &text).await?;
        }
        ada.start().await?;
        view.until_last_is("expired 25").await?;
        view.page_to_start().await?;
        expected.extend(numbered("expired", MISSED));
        view.until_texts_are(&expected).await
    };
    checks.check("messages sent before a new connection too", expired).await;

    let permalink = async {
        let target = message_ids[MISSED / 2].clone();
        let thread_mode = TimelineEventFocusThreadMode::Automatic { hide_threaded_events: false };
        let focus = TimelineFocus::Event { target: target.clone(), num_context_events: 6, thread_mode };
        let view = View { timeline: ada.room(&closed)?.timeline_builder().with_focus(focus).build().await? };
        view.event(&target).await?;
        view.page_to_start().await?;
        until("the end of the room", async || Ok(view.timeline.paginate_forwards(10).await?.then_some(()))).await?;
        view.until_texts_are(&expected).await
    };
    checks.check("from a permalink, paging both ways finds each message once", permalink).await
}
