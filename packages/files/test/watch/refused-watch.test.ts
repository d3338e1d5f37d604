import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, onTestFinished, vi } from 'vitest'

const script = fileURLToPath(new URL('watch-process.mjs', import.meta.url))
const built = new URL('../../dist/watch/directory-watch.js', import.meta.url).href

/** A user namespace has limits of its own, so that no other program of this user meets them. */
const canLimit = spawnSync('unshare', ['--user', '--map-root-user', 'true']).status === 0

it.runIf(canLimit).each([
  ['ENOSPC', 'max_inotify_watches'],
  ['EMFILE', 'max_inotify_instances'],
])('goes on polling with one warning when the system refuses to watch with %s', async (code, limit) => {
  const directory = await tempDir()
  const limited = `echo 0 > /proc/sys/user/${limit} && exec "$@"`
  const node = [process.execPath, script, built, directory, 'f']
  const child = spawn('unshare', ['--user', '--map-root-user', 'sh', '-c', limited, 'sh', ...node])
  onTestFinished(async () => {
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const lines = (): { code?: string; changed?: string }[] =>
    output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  const changes = (): number => lines().filter(({ changed }) => changed === 'f').length
  const warnings = (): unknown[] => lines().filter((line) => line.code !== undefined)

  await vi.waitFor(() => expect(warnings()).toEqual([{ code }]))
  for (const [index, text] of ['one', 'two'].entries()) {
    await writeFile(join(directory, 'f'), text)
    await vi.waitFor(() => expect(changes()).toBeGreaterThan(index))
  }
  expect(warnings()).toEqual([{ code }])
  child.stdin.write('\n')
  await vi.waitFor(() => expect(warnings()).toEqual([{ code }, { code }]))
})
