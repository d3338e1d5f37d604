import type { RunnerQuestions } from '@sandagent/core/store'
import type { FleetStore } from '@sandagent/fleet'

/** A server that carries questions and answers, in a process of its own. */
export interface CarrierServer {
  url: string
  pid: number
  stop(): Promise<void>
}

/** What its bare client does: one end stores a text durably, and the other end gets it. */
interface BareEnds {
  store(namespace: string, key: string, text: string): Promise<void>
  /** Calls back with the key of each text of a namespace, once the text is there. Resolves when it listens. */
  listen(namespace: string, onKey: (key: string) => void): Promise<void>
  close(): Promise<void>
}

export interface Carrier {
  name: string
  /** Starts a server that keeps its data in this folder; `null` if it is not installed. */
  start(folder: string): Promise<CarrierServer | null>
  fleet(url: string): FleetStore
  /** What a runner uses. */
  runner(url: string, namespace: string): RunnerQuestions
  bare(url: string): Promise<BareEnds>
}
