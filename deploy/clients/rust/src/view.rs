// SPDX-License-Identifier: Apache-2.0
//! An open room: its timeline as a user reads it.

use matrix_sdk::ruma::{EventId, OwnedEventId, UserId};
use matrix_sdk_ui::Timeline;
use matrix_sdk_ui::timeline::{EventTimelineItem, TimelineEventItemId};

use crate::wait::{Outcome, until, until_is};

const PAGE_OF_EVENTS: u16 = 10;
const PAGES_MAX: usize = 50;

pub struct View {
    pub timeline: Timeline,
}

impl View {
    pub async fn events(&self) -> Vec<EventTimelineItem> {
        self.timeline.items().await.iter().filter_map(|item| item.as_event().cloned()).collect()
    }

    /// The messages in the order of the timeline, also those that could not be decrypted.
    pub async fn texts(&self) -> Vec<String> {
        self.events().await.iter().filter_map(text).collect()
    }

    pub async fn until_texts_are(&self, expected: &[String]) -> Outcome<()> {
        until_is("the messages", expected.to_vec(), async || Ok(self.texts().await)).await
    }

    pub async fn until_last_is(&self, expected: &str) -> Outcome<OwnedEventId> {
        until_is("the last message", expected.to_owned(), async || {
            Ok(self.texts().await.last().cloned().unwrap_or_default())
        })
        .await?;
        let event = self.events().await.into_iter().rev().find(|event| text(event).as_deref() == Some(expected));
        Ok(event.and_then(|event| event.event_id().map(ToOwned::to_owned)).ok_or("the message has no event id")?)
    }

    pub async fn event(&self, event_id: &EventId) -> Outcome<EventTimelineItem> {
        until(&format!("{event_id} is in the timeline"), async || Ok(self.timeline.item_by_event_id(event_id).await))
            .await
    }

    /// Pages back to the first event of the room.
    pub async fn page_to_start(&self) -> Outcome<()> {
        for _ in 0..PAGES_MAX {
            if self.timeline.paginate_backwards(PAGE_OF_EVENTS).await? {
                return Ok(());
            }
        }
        Err(format!("the start of the room is not reached with {PAGES_MAX} pages").into())
    }

    pub async fn is_read_by(&self, user_id: &UserId, event_id: &EventId) -> bool {
        self.timeline.latest_user_read_receipt(user_id).await.is_some_and(|(read, _)| read == event_id)
    }
}

pub fn item_id(event_id: &EventId) -> TimelineEventItemId {
    TimelineEventItemId::EventId(event_id.to_owned())
}

fn text(event: &EventTimelineItem) -> Option<String> {
    let content = event.content();
    if content.is_unable_to_decrypt() {
        return Some("(not decrypted)".to_owned());
    }
    content.as_message().map(|message| message.body().to_owned())
}

/// `prefix 1`, `prefix 2` and so on.
pub fn numbered(prefix: &str, count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("{prefix} {number}")).collect()
}
