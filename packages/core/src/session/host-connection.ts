import { systemClock } from '../lib/clock.ts'
import type { AskError } from '../lib/errors.ts'
import type { QuestionView } from '../record/view/question-view.ts'
import type { ConnectedSession, HostConnectionOptions } from './connection-options.ts'
import { createDelivery } from './delivery.ts'
import { keepEntries } from './reload-entries.ts'
import { viewed } from './transitions.ts'

/** Typing must pause this long before a draft is saved, in milliseconds. */
const DRAFT_DELAY_MS = 300

/** What a session needs from its connection to the host. */
export interface HostConnection {
  /** Sends the answer, or saves the draft: at once, or when typing pauses. */
  store(isTyping: boolean): void
  /** Saves now what waits for a pause in typing. */
  save(): void
  /** The page is left: sends now what there is to send. */
  leave(): void
  /** See `AskSession.hasten`. */
  hasten(): void
  /** See `AskSession.start`. */
  start(): () => void
}

/** Stores the entries of a session, keeps them through a reload, and shows the session what the host knows. */
export function connectToHost(
  options: () => HostConnectionOptions,
  session: ConnectedSession,
): HostConnection {
  const { drafts, clock = systemClock } = options()
  const { getState, getSnapshot, set } = session
  let cancelDelay: (() => void) | undefined

  const receive = (view: QuestionView): void => {
    const { kept } = getState().draft
    set(viewed(getState(), view, getSnapshot().isEditable, clock.now()))
    if (!kept || getState().draft.kind === 'clean' || !getSnapshot().isEditable) return
    set({ draft: { kind: 'saving' } })
    store(false)
  }

  const entries = keepEntries(drafts, session)
  const delivery = createDelivery(options, session, entries, receive)

  const store = (isTyping: boolean): void => {
    cancelDelay?.()
    cancelDelay = isTyping ? clock.after(DRAFT_DELAY_MS, save) : undefined
    if (!cancelDelay) delivery.send()
  }

  const save = (): void => {
    if (cancelDelay) store(false)
  }

  return {
    store,
    save,
    leave() {
      cancelDelay?.()
      cancelDelay = undefined
      delivery.send(true)
    },
    hasten: () => delivery.hasten(),
    start() {
      entries.start()
      delivery.start()
      const onView = (view: QuestionView): void => {
        const isFirst = getSnapshot().status === 'loading'
        entries.allow()
        receive(view)
        // What an earlier page left waited for the questions.
        if (isFirst) delivery.send()
        delivery.hasten(true)
      }
      const { toolCallId } = getState().part
      const onRefused = (refusal: AskError): void => {
        entries.refuse(refusal)
        set({ refusal })
      }
      const stop = options().transport.subscribe?.(toolCallId, onView, onRefused, (people) => set({ people }))
      return () => {
        stop?.()
        delivery.stop()
        entries.stop()
      }
    },
  }
}
