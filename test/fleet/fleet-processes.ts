import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Outcome } from '@sandagent/core'
import { expect, onTestFinished } from 'vitest'

/** How a question ended for the agent. */
type Ended = Pick<Outcome, 'kind' | 'answeredBy'>

/** What a person was told of their answer. */
interface Told {
  by: string
  told: string
}

interface Report extends Partial<Told> {
  toolCallId: string
  lane?: number
  outcome?: Ended
}

const LANES = 6

const scriptOf = (name: string): string => fileURLToPath(new URL(`${name}.mjs`, import.meta.url))

/** Runners and hosts in processes of their own, and a journal of all that they said. */
export class FleetProcesses {
  readonly ended = new Map<string, Ended>()
  readonly told = new Map<string, Told[]>()
  /** What went wrong by itself. */
  readonly failures: string[] = []
  readonly #url: string
  readonly #children = new Map<string, ChildProcess>()
  /** How many questions of each lane have ended, by runner. */
  readonly #counts = new Map<string, number[]>()
  #hosts = 0

  constructor(url: string) {
    this.#url = url
    onTestFinished(() => {
      for (const child of this.#children.values()) child.kill('SIGKILL')
    })
  }

  startRunner(name: string): void {
    const counts = this.#counts.get(name) ?? Array.from({ length: LANES }, () => 0)
    this.#counts.set(name, counts)
    this.#start(name, 'asking-runner', [JSON.stringify(counts)], ({ toolCallId, lane = 0, outcome }) => {
      if (!outcome) return
      // A runner that was killed behind its report asks again, and gets the same outcome.
      const before = this.ended.get(toolCallId)
      if (before && JSON.stringify(before) !== JSON.stringify(outcome))
        this.failures.push(`${toolCallId} ended twice: ${JSON.stringify([before, outcome])}`)
      this.ended.set(toolCallId, outcome)
      counts[lane] = Number(toolCallId.split('-').at(-1)) + 1
    })
  }

  /** A host that is started again gets another name: it is another person. */
  startHost(): string {
    this.#hosts += 1
    const name = `host-${this.#hosts}`
    this.#start(name, 'answering-host', [], ({ toolCallId, by = '', told = '' }) => {
      this.told.set(toolCallId, [...(this.told.get(toolCallId) ?? []), { by, told }])
    })
    return name
  }

  #start(name: string, script: string, args: string[], note: (report: Report) => void): void {
    const child = fork(scriptOf(script), [this.#url, name, ...args])
    this.#children.set(name, child)
    child.on('message', (report: Report) => note(report))
    child.once('exit', (code, signal) => {
      if (code !== 0 && signal !== 'SIGKILL') this.failures.push(`${name} ended with ${code ?? signal}`)
    })
  }

  async kill(name: string): Promise<void> {
    const child = this.#children.get(name) as ChildProcess
    const closed = once(child, 'close')
    child.kill('SIGKILL')
    await closed
    this.#children.delete(name)
  }

  /** Lets all questions and answers come to their end. */
  async finish(): Promise<void> {
    for (const kind of ['runner', 'host']) {
      const some = [...this.#children].filter(([name]) => name.startsWith(kind))
      await Promise.all(
        some.map(async ([, child]) => {
          const closed = once(child, 'close')
          child.send('stop')
          await closed
        }),
      )
    }
  }

  /** Expects that every person was told what the agent got. */
  check(): void {
    expect(this.failures).toEqual([])
    for (const [toolCallId, { kind, answeredBy }] of this.ended) {
      const all = this.told.get(toolCallId) ?? []
      const stored = all.filter(({ told }) => told === 'stored').map(({ by }) => by)
      const what = `${toolCallId}: ${JSON.stringify([kind, answeredBy, all])}`
      expect(['answered', 'timed-out'], what).toContain(kind)
      for (const by of stored) expect(by, what).toBe(answeredBy)
      for (const { by, told } of all) {
        expect(['stored', 'CONFLICT', 'GONE'], what).toContain(told)
        if (told !== 'stored') expect(by, what).not.toBe(answeredBy)
      }
    }
  }
}
