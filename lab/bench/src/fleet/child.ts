import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A process of the fleet, and what it says. */
export class Child {
  readonly #process: ChildProcess
  readonly #waiting: { fits: (message: never) => boolean; resolve: (message: never) => void }[] = []
  readonly #said: unknown[] = []

  constructor(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    this.#process = fork(fileURLToPath(new URL(program, import.meta.url)), args, {
      env: { ...process.env, ...env },
    })
    this.#process.setMaxListeners(0)
    this.#process.on('message', (message) => {
      const index = this.#waiting.findIndex(({ fits }) => fits(message as never))
      if (index === -1) this.#said.push(message)
      else this.#waiting.splice(index, 1)[0]?.resolve(message as never)
    })
  }

  get pid(): number {
    return this.#process.pid as number
  }

  tell(message: object): void {
    this.#process.send(message)
  }

  /** The first message that fits, also one that came before. */
  hear<T>(fits: (message: T) => boolean): Promise<T> {
    const index = this.#said.findIndex((message) => fits(message as T))
    if (index !== -1) return Promise.resolve(this.#said.splice(index, 1)[0] as T)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ fits, resolve } as never)
      this.#process.once('exit', () => reject(new Error('A process of the fleet has ended')))
    })
  }

  async end(): Promise<void> {
    if (this.#process.exitCode !== null) return
    this.#process.kill('SIGKILL')
    await once(this.#process, 'exit')
  }
}
