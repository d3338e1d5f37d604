// Every pause and limit of the page, in milliseconds unless the name says otherwise.

/** A form that needs the Markdown renderer takes no entries before it has come, for at most this long. */
export const MARKDOWN_PATIENCE_MS = 3_000

/** A request that takes longer is aborted, so that the person can try again. */
export const SEND_TIMEOUT_MS = 30_000

/** A stream that stays silent this long is dead: hosts send several signs of life in that time. */
export const STREAM_SILENCE_MS = 60_000

/** Questions come and go together. A stream is opened when the set of questions did not change for this long. */
export const GATHER_QUESTIONS_MS = 20

/** The most questions of one stream: their ids must fit into a URL. */
export const QUESTIONS_PER_STREAM = 50

/** How long to ask a host about an approval that is over. A host that knows the question answers at once. */
export const PAST_APPROVAL_MS = 5_000

/** A pointer that moves farther between press and release drags: it picks nothing. In pixels; fingers are less exact. */
export const STEADY_HAND_PX = 6
export const STEADY_TOUCH_PX = 16

/** A person scrolls until wheel, finger or key have been still for this long, and the next frame has come. */
export const SCROLL_PAUSE_MS = 200

/** Keys typed for a field that has vanished count for nothing else until the keyboard was still for this long. */
export const LOST_TYPING_MS = 2_000
