import { fstatSync, write } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** How long to wait before a write is tried again, in milliseconds. */
const PAUSE_MS = 500

/** A disk that is full, or over its quota, may have room later. */
const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EAGAIN']

/**
 * How a program inside is given the output that this process has. A file is not passed on: a program could open it for
 * writing through `/proc/PID/fd/1`, past every read-only mount, and rewrite its run's log. Node makes a socket instead,
 * which nobody can open a second time.
 */
export const outputFor = (descriptor: number): 'pipe' | 'inherit' =>
  fstatSync(descriptor).isFile() ? 'pipe' : 'inherit'

/** Writes what a program prints to a descriptor, until it has ended; while there is no room, the program waits. */
export async function copyOutput(output: Readable | null, descriptor: number): Promise<void> {
  if (!output) return
  for await (const chunk of output as AsyncIterable<Buffer>) await writeWhole(descriptor, chunk)
}

async function writeWhole(descriptor: number, bytes: Buffer): Promise<void> {
  let rest = bytes
  while (rest.length > 0) {
    try {
      const { bytesWritten } = await writeTo(descriptor, rest)
      rest = rest.subarray(bytesWritten)
    } catch (error) {
      if (!NO_ROOM.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
      await sleep(PAUSE_MS)
    }
  }
}

const writeTo = promisify(write)
