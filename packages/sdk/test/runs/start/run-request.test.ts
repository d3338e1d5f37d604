import type { AskError } from '@sandagent/core'
import { expect, it } from 'vitest'
import { checkRunRequest } from '../../../src/runs/start/run-request.ts'

const faultsOf = (more: object): unknown => {
  try {
    checkRunRequest({ agent: 'claude', prompt: '', ...more })
    return []
  } catch (error) {
    const { code, faults } = error as AskError
    expect(code).toBe('INVALID_REQUEST')
    return faults.map(({ path }) => path)
  }
}

it.each([
  ['an agent and a prompt', {}],
  [
    'everything',
    {
      args: ['-v'],
      runId: 'r',
      runner: ['node', '/srv/main.js', '-v', '@scope/name'],
      metadata: { chat: '7' },
      owner: 'ada',
      continues: ['q'],
      env: { KEY: 'k', OTHER: undefined },
      passEnv: ['PATH'],
      maxLogBytes: 1,
    },
  ],
  [
    'a run that has ended',
    { runId: 'r', attempt: 1, startedAt: 't', endedAt: 't', state: 'crashed', exitCode: null, signal: null },
  ],
  ['an agent of a runner of its own', { agent: 'mine', runner: ['my-runner'] }],
  ['lists of nothing', { args: [], metadata: {}, continues: [], env: {}, passEnv: [] }],
])('a run can be started with %s', (_, more) => {
  expect(faultsOf(more)).toEqual([])
})

it.each<[string, object, string[]]>([
  ['without an agent', { agent: undefined }, ['agent']],
  ['with an agent without a name', { agent: '' }, ['agent']],
  ['with an agent that there is not', { agent: 'cladue' }, ['agent']],
  ['without a prompt', { prompt: undefined }, ['prompt']],
  ['with an argument that is no text', { args: [1] }, ['args.0']],
  ['with a text that is no run id', { runId: '../r' }, ['runId']],
  ['with a runner without a program', { runner: [] }, ['runner']],
  ['with a runner that is no list', { runner: 'node' }, ['runner']],
  ['with a relative path of a runner', { runner: ['node_modules/.bin/sandagent'] }, ['runner']],
  [
    'with a relative script of a runner',
    { runner: ['node', 'node_modules/sandagent/dist/main.js'] },
    ['runner'],
  ],
  ['with a runner beside the workdir', { runner: ['sh', '../run'] }, ['runner']],
  ['with a fact that is no text', { metadata: { chat: 7 } }, ['metadata.chat']],
  ['with facts that are a list', { metadata: ['chat'] }, ['metadata']],
  ['with variables that are a list', { env: ['KEY=1'] }, ['env']],
  ['with a name that it does not have', { promt: 'Do it' }, ['promt']],
  ['with an owner without a name', { owner: '' }, ['owner']],
  ['with an earlier run that is no text', { continues: [1] }, ['continues.0']],
  ['with a variable that is no text', { env: { KEY: 1 } }, ['env.KEY']],
  ['with the name of a variable that is no text', { passEnv: [1] }, ['passEnv.0']],
  ['with no room for a log', { maxLogBytes: 0 }, ['maxLogBytes']],
  ['with a limit that is no number', { maxLogBytes: '1' }, ['maxLogBytes']],
  ['with several faults', { agent: '', args: [1], owner: 7 }, ['agent', 'args.0', 'owner']],
])('a run cannot be started %s', (_, more, paths) => {
  expect(faultsOf(more)).toEqual(paths)
})
