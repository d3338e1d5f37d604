import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, onTestFinished, vi } from 'vitest'
import {
  createAnswerLink,
  type DetachedOptions,
  type LocalSandbox,
  type RunRequest,
  type RunSandbox,
  startRun,
} from '../../src/index.ts'
import { ask, refusalOf, tempSandbox } from '../support/temp-sandbox.ts'

/** A sandbox that is not said to be a folder of this machine. It starts nothing, and notes what it was told. */
function elsewhere(
  sandbox: LocalSandbox,
  id = 'sandbox-7',
): { sandbox: RunSandbox; told: DetachedOptions[] } {
  const told: DetachedOptions[] = []
  const { files, workdir, detached } = sandbox
  const start = async (_: string, __: readonly string[], options: DetachedOptions) => {
    told.push(options)
    await options.beforeStart?.('a handle of its own')
    return { handle: 'a handle of its own', ended: new Promise<never>(() => {}) }
  }
  const foreign: RunSandbox = {
    files: { ...files, id },
    workdir,
    detached: { ...detached, start },
    spawn: (...args) => sandbox.spawn(...args),
  }
  return { sandbox: foreign, told }
}

const request: RunRequest = { agent: 'claude', prompt: 'Go', runner: ['sandagent'] }

it('hands a key of the host’s environment to no sandbox elsewhere, unless it is named', async () => {
  vi.stubEnv('ANTHROPIC_API_KEY', 'a secret')
  vi.stubEnv('ANTHROPIC_MODEL', 'a model')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { sandbox, told } = elsewhere(await tempSandbox())
  await startRun(sandbox, request, { signingKeys: null })
  await startRun(sandbox, { ...request, passEnv: ['ANTHROPIC_API_KEY'] }, { signingKeys: null })
  await startRun(sandbox, { ...request, env: { ANTHROPIC_API_KEY: 'another' } }, { signingKeys: null })
  expect(told.map(({ env }) => [env?.ANTHROPIC_API_KEY, env?.ANTHROPIC_MODEL])).toEqual([
    [undefined, undefined],
    ['a secret', undefined],
    ['another', undefined],
  ])
})

it('takes the id of a sandbox elsewhere for no path of the host', async () => {
  const config = await tempDir()
  await mkdir(join(config, 'sandagent'))
  vi.stubEnv('XDG_CONFIG_HOME', config)
  vi.stubEnv('SANDAGENT_SIGNING_KEY', '')
  onTestFinished(() => void vi.unstubAllEnvs())
  const local = await tempSandbox()
  await ask(local, 'call_1')
  const { sandbox } = elsewhere(local, config)
  expect(await startRun(sandbox, request)).toMatchObject({ agent: 'claude' })
  const link = { toolCallId: 'call_1', page: 'https://app.example.com/answer' }
  expect(await createAnswerLink(sandbox, link)).toContain('call_1')
  const here = { ...sandbox, hostFolder: config }
  expect((await refusalOf(startRun(here, request))).code).toBe('UNSAFE_PATH')
  expect((await refusalOf(createAnswerLink(here, link))).code).toBe('UNSAFE_PATH')
})

it('refuses detached programs that begin before the record of their run', async () => {
  const local = await tempSandbox()
  const { sandbox } = elsewhere(local)
  const kill = vi.fn(async () => {})
  const start = async () => ({ handle: 'begun', ended: new Promise<never>(() => {}) })
  const early = { ...sandbox, detached: { ...sandbox.detached, start, kill } }
  await expect(startRun(early, request, { signingKeys: null })).rejects.toThrow('do not call beforeStart')
  expect(kill).toHaveBeenCalledWith('begun')
  expect(await local.files.list('.sandagent/runs')).toHaveLength(1)
})
