import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { importPeer } from './peers.ts'

interface Watcher {
  on(event: string, listener: (path: string) => void): unknown
  close(): Promise<void>
}

/** Waits for a file with chokidar alone. */
export type WaitByChokidar = (path: string) => Promise<unknown>

/** @returns `null` if it is not installed */
export async function chokidarWait(): Promise<WaitByChokidar | null> {
  const chokidar = await importPeer<{ watch(path: string, options: object): Watcher }>('chokidar')
  if (!chokidar) return null
  return async (path) => {
    const watcher = chokidar.watch(dirname(path), { ignoreInitial: true })
    try {
      await new Promise<void>((resolve) => watcher.on('add', (added) => added === path && resolve()))
      return JSON.parse(await readFile(path, 'utf8'))
    } finally {
      await watcher.close()
    }
  }
}
