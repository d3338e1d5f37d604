import { watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The shortest interval of the runners that only poll, in milliseconds. */
export const POLL_MS = 500

/** Waits for a JSON file with a bare `fs.watch` of its folder: as fast as it gets. */
export async function waitByWatch(path: string): Promise<unknown> {
  const watcher = watch(dirname(path))
  try {
    await new Promise<void>((resolve) => {
      watcher.on('change', (_, name) => name === basename(path) && resolve())
    })
    return await readJson(path)
  } finally {
    watcher.close()
  }
}

/** Waits for a JSON file by looking for it every 500 ms. */
export async function waitByPoll(path: string): Promise<unknown> {
  for (;;) {
    const content = await readJson(path)
    if (content !== null) return content
    await sleep(POLL_MS)
  }
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
