import type { RunState } from '@sandagent/sdk'

/** The response of `GET /api/chats`. */
export interface Overview {
  /** The agent that works in the sandbox. */
  agent: 'claude' | 'scripted'
  /** Newest first. */
  chats: ChatSummary[]
}

export interface ChatSummary {
  chatId: string
  /** The first message of the user. */
  title: string
  isRunning: boolean
  /** How many questions and approvals wait for a person. */
  waiting: number
  /** The ids of the calls that asked, in order. */
  asked: string[]
}

/** The response of `GET /api/chat/ID`: the history of a chat. */
export interface ChatHistory {
  /** Oldest first. */
  turns: Turn[]
}

/** A message of the user, and the run that answers it. `GET /api/runs/RUN/stream` is the agent's message. */
export interface Turn {
  messageId: string
  text: string
  runId: string
  /** Counts the starts of the run, from 1. */
  attempt: number
  state: RunState
  /** Why the run failed, was stopped or crashed. */
  reason?: string
}

/** The response of `GET /api/files`: the files that the agent made. */
export interface FileList {
  /** The sandbox's folder, as a person would type it. */
  workdir: string
  files: FileEntry[]
  /** Whether there are more files than the list holds. */
  truncated: boolean
}

export interface FileEntry {
  /** Relative to the workdir, with `/` between names. */
  path: string
  bytes: number
}

/** The response of `GET /api/inspector?toolCallId=ID`: the files of one question. */
export interface Inspection {
  question: TravellingFile
  answerFile: TravellingFile
  times: AnswerTimes | null
}

export interface TravellingFile {
  /** Relative to the workdir. */
  path: string
  /** `null` when the file does not exist. */
  text: string | null
}

/** How long the answer took to reach the agent, in milliseconds. */
export interface AnswerTimes {
  /** From the answer's arrival at the host until the host saw the agent's receipt, by one clock. */
  confirmedMs: number
  /** The same by the times in the files of host and agent, in whole milliseconds. */
  writtenMs: number
}
