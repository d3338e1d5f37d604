import { fstatSync, write } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { failedWith } from '@sandagent/core/internal'

/** How long to wait before a write is tried again, in milliseconds. */
const PAUSE_MS = 500

/** A full disk, or an exceeded quota, may have room later. */
const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EAGAIN']

/**
 * How a program inside gets this process's output. It does not get a file: it could open the file for writing through
 * `/proc/PID/fd/1`, past every read-only mount, and rewrite its run's log. Node's pipes are sockets, which cannot be reopened.
 */
export const outputFor = (descriptor: number): 'pipe' | 'inherit' =>
  fstatSync(descriptor).isFile() ? 'pipe' : 'inherit'

/** Writes a program's output to a descriptor. While there is no room, the program waits. */
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
      if (!failedWith(error, NO_ROOM)) throw error
      await sleep(PAUSE_MS)
    }
  }
}

const writeTo = promisify(write)
