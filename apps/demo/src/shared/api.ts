import type { RunState } from '@sandagent/sdk'

/** What `GET /api/chat/ID` says: what was said in a chat. */
export interface ChatHistory {
  /** Oldest first. */
  turns: Turn[]
}

/** A message of the user, and the run that answers it; `GET /api/runs/RUN/stream` is what the agent said. */
export interface Turn {
  messageId: string
  text: string
  runId: string
  /** Counts the starts of the run, from 1. */
  attempt: number
  state: RunState
  /** Why the run failed, was stopped or crashed, where somebody said it. */
  reason?: string
}

/** What `GET /api/files` says: the files that the agent made. */
export interface FileList {
  /** The sandbox's folder, as its owner would type it. */
  workdir: string
  files: FileEntry[]
  /** Whether there are more than the list holds. */
  truncated: boolean
}

export interface FileEntry {
  /** Relative to the workdir, with `/` between names. */
  path: string
  bytes: number
}

/** What `GET /api/inspector?toolCallId=ID` says: what travels for one question. */
export interface Inspection {
  question: TravellingFile
  answerFile: TravellingFile
  times: AnswerTimes | null
}

export interface TravellingFile {
  /** Relative to the workdir. */
  path: string
  /** `null` when the file is not there. */
  text: string | null
}

/** How long the answer took to reach the agent, in milliseconds. */
export interface AnswerTimes {
  /** From the answer's arrival at the host until the host saw the agent's receipt; one clock. */
  confirmedMs: number
  /** The same between the times that host and agent wrote into their files; whole milliseconds, one machine. */
  writtenMs: number
}
