import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { type Run, type RunRequest, readRun, startRun, streamRun } from '@sandagent/sdk'
import { expect, it, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { tempSandbox } from '../support/workspace.ts'

const runner = [process.execPath, join(root, 'packages/cli/dist/main.js')] as const

it.each([
  [
    'agent',
    { agent: 'nobody' },
    '--agent takes scripted, claude, codex, command, acp, ag-ui, eve, not nobody',
  ],
  ['scenario', { agent: 'scripted', args: ['--scenario', 'none.json'] }, 'There is no file none.json'],
  ['missing scenario', { agent: 'scripted' }, '--scenario FILE is missing'],
  ['option', { agent: 'command', args: ['--on-timeout', 'wait', '--', 'true'] }, '--on-timeout takes'],
  ['unknown option', { agent: 'command', args: ['--fast', '--', 'true'] }, '--fast'],
])('a wrong %s of a run is told to its page and to its caller', async (_, wrong, reason) => {
  const sandbox = await tempSandbox()
  const ends: Run[] = []
  const request: RunRequest = { prompt: 'Go', runner, ...wrong }
  const { runId } = await startRun(sandbox, request, { signingKeys: null, onEnd: (run) => ends.push(run) })
  const stream = await text((await streamRun(sandbox, runId)) as NodeReadableStream)
  expect(stream).toContain(`"messageId":"message-${runId}"`)
  expect(stream).toMatch(/data: {"type":"error".*\n\n.*\ndata: \[DONE\]\n\n$/)
  expect(stream).toContain(reason)
  expect(stream).not.toContain('ended before it was done')
  await vi.waitFor(() => expect(ends).toHaveLength(1))
  expect(ends[0]).toMatchObject({ state: 'failed', reason: expect.stringContaining(reason) })
  expect(await readRun(sandbox, runId)).toMatchObject({ state: 'failed' })
})
