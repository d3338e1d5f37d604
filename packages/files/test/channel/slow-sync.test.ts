import { execFileSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createLocalFiles } from '../../src/internal.ts'
import { diskCalls } from '../../src/lib/disk-calls.ts'

/**
 * Makes every sync wait for a disk that does not answer. It really holds one of Node's threads: opening a FIFO waits there
 * until somebody opens its other end. The sync itself is injected, because no disk can be made slow here.
 */
async function disconnectedDisk(root: string): Promise<{ waiting: () => number; answer: () => void }> {
  const fifo = join(await tempDir(), 'fifo')
  execFileSync('mkfifo', [fifo])
  let waiting = 0
  const sync = vi.spyOn(diskCalls(root), 'sync').mockImplementation(async () => {
    waiting++
    await (await open(fifo, 'r')).close()
    waiting--
  })
  let writer: number | null = null
  const answer = (): void => {
    // Both ends, so that nobody waits for the other.
    writer ??= openSync(fifo, 'r+')
  }
  onTestFinished(() => {
    answer()
    sync.mockRestore()
    if (writer !== null) closeSync(writer)
  })
  return { waiting: () => waiting, answer }
}

it.runIf(process.platform === 'linux')(
  'a disk that does not answer keeps some threads waiting, and no reader',
  async () => {
    const root = await tempDir()
    const files = createLocalFiles(root)
    await files.writeAtomic('a/before', 'text')
    const disk = await disconnectedDisk(root)
    const done: number[] = []
    const writes = Array.from({ length: 20 }, async (_, n) => {
      await files.writeAtomic(`a/${n}`, `${n}`)
      done.push(n)
    })
    await vi.waitFor(() => expect(disk.waiting()).toBe(3))
    for (let n = 0; n < 10; n++) expect(await files.read('a/before')).toBe('text')
    expect(await files.list('a')).toContain('before')
    expect([disk.waiting(), done]).toEqual([3, []])

    disk.answer()
    await Promise.all(writes)
    expect(done).toHaveLength(20)
    expect(await files.read('a/19')).toBe('19')
  },
)
