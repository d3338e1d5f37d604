import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChannelWarning, FilePlace, Outcome, RunnerChannel } from '@sandagent/core'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it } from 'vitest'
import { modelFiles, withPaths } from '../../src/ask/attached-files.ts'

const sha256 = createHash('sha256').update('bytes').digest('hex')
const file = { name: 'a.png', mediaType: 'image/png', size: 5, sha256 }
const responsesWith = <F>(...files: F[]) => ({ q1: { selected: [], files, source: 'human' as const } })

describe('a model', () => {
  const filesAt = (path: string, named: { path?: string } = { path: 'named' }) =>
    modelFiles(
      { fileAt: async () => ({ path }) },
      { toolCallId: 'c1', responses: responsesWith({ ...file, ...named }) },
    )

  it('gets the bytes of a file, and none of one that is gone', async () => {
    const folder = await tempDir()
    await writeFile(join(folder, 'a.png'), 'bytes')
    expect(await filesAt(join(folder, 'a.png'))).toMatchObject([{ name: 'a.png', data: 'Ynl0ZXM=' }])
    expect(await filesAt(join(folder, 'b.png'))).toEqual([])
  })

  it('gets no file that the agent does not have, and nobody looks for it again', async () => {
    const folder = await tempDir()
    await writeFile(join(folder, 'a.png'), 'bytes')
    expect(await filesAt(join(folder, 'a.png'), {})).toEqual([])
  })

  it.each<[string, (path: string, folder: string) => unknown]>([
    ['other bytes', (path) => writeFile(path, 'other')],
    ['a longer file', (path) => writeFile(path, 'bytes and more')],
    ['a folder', (path) => mkdir(path)],
    ['a pipe', (path) => execFileSync('mkfifo', [path])],
    [
      'a link',
      async (path, folder) => {
        await writeFile(join(folder, 'b.png'), 'bytes')
        await symlink(join(folder, 'b.png'), path)
      },
    ],
  ])('gets nothing where an agent has put %s in the place of a file', async (_, put) => {
    const folder = await tempDir()
    const path = join(folder, 'a.png')
    await rm(path, { force: true })
    await put(path, folder)
    expect(await filesAt(path)).toEqual([])
  })
})

type Channel = Pick<RunnerChannel, 'fileAt' | 'readFile'>

describe('the outcome', () => {
  const outcome: Outcome = {
    ...{ toolCallId: 'c1', kind: 'answered', questions: [], responses: {}, answers: {}, unanswered: [] },
    ...{ settledAt: '2026-01-01T00:00:00.000Z', elapsedMs: 0 },
  }

  it('says of each file where it is or why it is missing, and so do warnings', async () => {
    const places: FilePlace[] = [
      { missing: 'gone' },
      { path: '/there' },
      { missing: 'changed' },
      { missing: 'no-room' },
    ]
    const warnings: ChannelWarning[] = []
    const left = places.values()
    const channel: Channel = { fileAt: async () => left.next().value ?? { missing: 'unreachable' } }
    const files = places.map((_, index) => ({ ...file, name: `${index}.png` }))
    const forged = files.map((each) => ({ ...each, path: '/forged', missing: 'gone' as const }))
    const { responses } = await withPaths(
      channel,
      { ...outcome, responses: responsesWith(...forged) },
      { onWarning: (warning) => warnings.push(warning) },
    )
    expect(responses).toEqual(responsesWith(...files.map((each, index) => ({ ...each, ...places[index] }))))
    expect(warnings).toEqual([
      expect.objectContaining({
        code: 'NOT_FOUND',
        toolCallId: 'c1',
        message: expect.stringContaining('"0.png"'),
      }),
      expect.objectContaining({ code: 'INVALID_FILE', message: expect.stringContaining('"2.png"') }),
      expect.objectContaining({ code: 'TOO_LARGE', message: expect.stringContaining('"3.png"') }),
    ])
  })

  it('waits for a store that is out of reach once, and not for each file', async () => {
    const waited: boolean[] = []
    const channel: Channel = {
      async fileAt(_, __, signal) {
        waited.push(signal?.aborted === false)
        return { missing: 'unreachable' }
      },
    }
    await withPaths(channel, { ...outcome, responses: responsesWith(file, file, file) })
    expect(waited).toEqual([true, false, false])
  })

  it.each(['signal', 'detachSignal'])('waits no longer than the call that asked: %s', async (which) => {
    const stop = new AbortController()
    const channel: Channel = {
      fileAt: (_, __, signal) =>
        new Promise((resolve) => {
          signal?.addEventListener('abort', () => resolve({ missing: 'unreachable' }))
          stop.abort()
        }),
    }
    const given = { ...outcome, responses: responsesWith(file) }
    const { responses } = await withPaths(channel, given, { [which]: stop.signal })
    expect(responses).toEqual(responsesWith({ ...file, missing: 'unreachable' }))
  })
})
