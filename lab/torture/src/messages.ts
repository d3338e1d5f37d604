/** A question that a runner asks. */
export interface Ask {
  toolCallId: string
  /** The text of the question. */
  text: string
  timeoutMs: number | 'never'
  /** How often the same id was asked before, and its record was lost. */
  generation: number
}

/**
 * How an answer is sent. `draft`: it is typed, and saved, and sent when the driver says so. `click`: without a status, so that
 * the next click replaces it. `frozen draft`: its host stands still between its claim and its file, until the driver says so.
 */
export type Manner = 'send' | 'decline' | 'draft' | 'click' | 'frozen draft' | Foreign

/** What a program that does not know the product writes in the place of an answer. */
export type Foreign = 'older format, in pieces' | 'no UTF-8' | 'no JSON' | 'half a file' | '1 GB'

/** What a person does with a question. */
export interface Act {
  /** The folder of the run. */
  run: number
  toolCallId: string
  /** Unique in a torture: the reports about this act carry it. */
  act: string
  manner: Manner
  /** Who acts. Default: the part has a person of its own. */
  person?: string | undefined
  token: string
  /** The text of the question as the person saw it. */
  text: string
  /** Whether the person was told that the draft is saved, before the page was reloaded. */
  isSaved: boolean
}

/** What the driver tells a part. */
export type Order =
  | { ask: Ask }
  | { act: Act }
  /** The draft of this act is sent now. */
  | { send: string }
  /** Ports of the hosts. */
  | { ports: readonly number[] }
  /** The event loop is blocked for so long. */
  | { blockMs: number }
  /** From now on the clock of this process is wrong by so much. */
  | { clockMs: number }
  /** No fault happens inside of this process any more. */
  | { heal: true }
  /** Says what is still there. */
  | { count: true }

/** How an act ended for the person. */
export type Ending =
  /** The host has stored this answer, or had it already. */
  | { kind: 'acknowledged' }
  /** Another answer came first: the one that the person is shown. */
  | { kind: 'superseded'; shown: string | null }
  /** The question ended without this answer. `shown`: how, if the host says it. */
  | { kind: 'over'; shown: string | null }
  /** The host knows no such question. */
  | { kind: 'unknown' }

/** What a part reports. */
export type Report =
  | { ready: true }
  | { port: number }
  /** The process of a relay that was started. */
  | { relay: number }
  | { relayKilled: true }
  | { asked: string; generation: number }
  /** What the agent got: the kind of the outcome, and the text of its answer. */
  | { outcome: string; generation: number; kind: string; answer: string | null }
  | { ended: string; ending: Ending }
  /** The host has stored the draft of an act. */
  | { saved: string }
  /** After a reload, the page shows this text. */
  | { restored: string; shown: string | null }
  /** What the page shows in the end. */
  | { closed: string; status: string }
  /** A file that nobody may see: why, and its name. */
  | { torn: string }
  /** An acknowledged answer that a power cut would lose. */
  | { unsynced: string }
  | { counted: { descriptors: number; timers: number; watches: number } }
  /** A failure of the program itself. */
  | { failed: string }
