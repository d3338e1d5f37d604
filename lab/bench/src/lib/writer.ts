import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** What the other process is told to write, and where. */
export interface WriteOrder {
  path: string
  text: string
}

/** What it answers: the time right before its rename, in nanoseconds of the clock that all processes share. */
export interface Written {
  renamedAt: string
}

/** A process that replaces files as a host does: temporary file, fsync, rename, fsync of the folder. */
export interface Writer {
  /** Resolves to the time right before the rename, in nanoseconds of `process.hrtime`. */
  write(order: WriteOrder): Promise<bigint>
  end(): void
}

export function startWriter(): Writer {
  const child = fork(fileURLToPath(new URL('writer-process.js', import.meta.url)))
  return {
    async write(order) {
      child.send(order)
      const [{ renamedAt }] = (await once(child, 'message')) as [Written]
      return BigInt(renamedAt)
    },
    end: () => child.disconnect(),
  }
}
