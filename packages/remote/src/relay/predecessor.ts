import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, sleep, systemClock } from '@sandagent/core/internal'
import { findProcess, makeFolder, ownProcessHandle, writeFileAtomic } from '@sandagent/files/internal'
import { sendSignal } from '@sandagent/sdk/internal'

/** How long a relay may take to end: it ends its programs first. In milliseconds. */
const GRACE_MS = 8000

const LOOK_MS = 20

/**
 * Ends the relay of the same session that came before, so that it carries out nothing more: its host sends everything again
 * that has no reply yet. Then it notes the own process.
 *
 * @param folder where relays note themselves; it belongs to this user
 * @returns removes the note
 */
export async function replacePredecessor(
  folder: string,
  session: string,
  clock: Clock = systemClock,
): Promise<() => void> {
  makeFolder(folder)
  const path = join(folder, `${session}.session`)
  const before = textOf(path)
  if (before !== null) await endProcess(before, clock)
  const own = await ownProcessHandle()
  if (own !== undefined) await writeFileAtomic(path, own)
  return () => {
    if (textOf(path) === own) rmSync(path, { force: true })
  }
}

async function endProcess(handle: string, clock: Clock): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
    const found = await findProcess(handle)
    if (found.state !== 'running') return
    if (waitedMs === 0) sendSignal('SIGTERM', found.pid)
    else if (waitedMs >= GRACE_MS) sendSignal('SIGKILL', found.pid)
    await sleep(clock, LOOK_MS)
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
