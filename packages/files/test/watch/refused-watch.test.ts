import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChannelWarning } from '@sandagent/core'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { FSWatcher } from 'chokidar'
import { expect, it, onTestFinished, vi } from 'vitest'
import { watchDirectory } from '../../src/watch/directory-watch.ts'

it('goes on polling with one warning when the system refuses to watch', async () => {
  // Reaching the system's real limits would take them from every other program of this user.
  const add = vi.spyOn(FSWatcher.prototype, 'add').mockImplementation(function (this: FSWatcher) {
    queueMicrotask(() => {
      const error = Object.assign(new Error('System limit reached'), { code: 'ENOSPC' })
      for (let n = 0; n < 3; n++) this.emit('error', error)
      this.emit('ready')
    })
    return this
  })
  onTestFinished(() => add.mockRestore())
  const directory = await tempDir()
  const names: (string | null)[] = []
  const warnings: ChannelWarning[] = []
  const start = (): (() => void) =>
    watchDirectory(directory, (name) => names.push(name), {
      names: ['f'],
      onWarning: (warning) => warnings.push(warning),
    })
  onTestFinished(start())
  await vi.waitFor(() => expect(names).toContain('f'))
  for (const text of ['one', 'two']) {
    names.length = 0
    await writeFile(join(directory, 'f'), text)
    await vi.waitFor(() => expect(names).toContain('f'))
  }
  expect(warnings).toEqual([{ code: 'ENOSPC', message: 'System limit reached' }])

  // A watcher that comes later learns of it too.
  onTestFinished(start())
  expect(warnings).toHaveLength(2)
})
