import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ownProcessHandle, processHandle } from '@sandagent/files/internal'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { replacePredecessor } from '../../src/relay/predecessor.ts'

it('a relay notes itself for its session, and removes the note', async () => {
  const folder = join(await tempDir(), 'sessions')
  const leave = await replacePredecessor(folder, 's')
  await replacePredecessor(folder, 'other')
  expect(await readFile(join(folder, 's.session'), 'utf8')).toBe(await ownProcessHandle())
  leave()
  expect(await readdir(folder)).toEqual(['other.session'])
  leave()
})

it('the note of a later relay stays', async () => {
  const folder = await tempDir()
  const leave = await replacePredecessor(folder, 's')
  await writeFile(join(folder, 's.session'), 'a later one')
  leave()
  expect(await readFile(join(folder, 's.session'), 'utf8')).toBe('a later one')
})

it('the relay of the same session that came before is ended first, and no other one', async () => {
  const folder = await tempDir()
  const children = ['s', 'other'].map(() =>
    spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 60_000)'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
  onTestFinished(() => {
    for (const child of children) child.kill('SIGKILL')
  })
  for (const [index, child] of children.entries()) {
    await once(child.stdout, 'data')
    await writeFile(
      join(folder, `${['s', 'other'][index]}.session`),
      await processHandle(child.pid as number),
    )
  }
  await replacePredecessor(folder, 's')
  await vi.waitFor(() => expect(children[0]?.signalCode).toBe('SIGTERM'))
  expect(children[1]?.signalCode).toBeNull()
})

it('a relay that does not listen is killed after eight seconds', async () => {
  const folder = await tempDir()
  const child = spawn(
    process.execPath,
    ['-e', "process.on('SIGTERM', () => console.log(2)); console.log(1); setInterval(() => {}, 60_000)"],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  await writeFile(join(folder, 's.session'), await processHandle(child.pid as number))
  const clock = createFakeClock()
  const asked = once(child.stdout, 'data')
  const replaced = replacePredecessor(folder, 's', clock)
  await asked
  for (let ms = 0; ms < 7980; ms += 20) {
    await clock.whenPending()
    clock.advance(20)
  }
  await clock.whenPending()
  expect(child.signalCode).toBeNull()
  clock.advance(20)
  await vi.waitFor(() => expect(child.signalCode).toBe('SIGKILL'))
  await clock.whenPending()
  clock.advance(20)
  await replaced
})
