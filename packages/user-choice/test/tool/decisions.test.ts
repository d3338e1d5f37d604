import type { ToolInvocation } from '@sandagent/core/dialects/user-choice'
import { expect, it } from 'vitest'
import { Decisions } from '../../src/tool/decisions.ts'

const choices = ['Yes', 'Yes for session', 'No']
const request = { prompt: 'May I?', choices, default: 2, remember: { choices: [1], scope: '/srv' } }
const invoked = (more: Partial<ToolInvocation> = {}) =>
  ({ operation: 'write', group_id: 'g', id: 'i', user_id: 'ada', ...more }) as ToolInvocation
const now = Date.parse('2026-01-01T00:00:00Z')
const decidedAt = '2026-01-01T00:00:00.000Z'

function start() {
  const files = new Map<string, string>()
  const decisions = new Decisions({
    read: async (path) => files.get(path) ?? null,
    writeAtomic: async (path, text) => void files.set(path, text),
    list: async (folder) =>
      [...files.keys()]
        .filter((path) => path.startsWith(`${folder}/`))
        .map((path) => path.slice(folder.length + 1)),
    remove: async (path) => {
      for (const known of files.keys())
        if (known === path || known.startsWith(`${path}/`)) files.delete(known)
    },
  })
  return { files, decisions }
}

it('a choice that is remembered is recalled in its conversation', async () => {
  const { files, decisions } = start()
  expect(await decisions.recall(invoked(), request)).toBeNull()
  await decisions.keep(invoked(), request, 1, now)
  const [path] = files.keys()
  const decision = {
    operation: 'write',
    scope: '/srv',
    userId: 'ada',
    label: 'Yes for session',
    decidedAt,
    path,
  }
  expect(path).toMatch(/^decisions\/[0-9a-f]{64}\/[0-9a-f]{64}\.json$/)
  expect(await decisions.recall(invoked({ id: 'j' }), request)).toEqual({ decision, index: 1 })
  expect(await decisions.list('g')).toEqual([decision])
  expect(await decisions.list('h')).toEqual([])
})

it('a choice that is not remembered is not kept', async () => {
  const { files, decisions } = start()
  await decisions.keep(invoked(), request, 0, now)
  await decisions.keep(invoked(), { ...request, remember: undefined }, 1, now)
  expect(files.size).toBe(0)
})

it.each([
  ['conversation', invoked({ group_id: 'h' }), request],
  ['operation', invoked({ operation: 'delete' }), request],
  ['user', invoked({ user_id: 'bob' }), request],
  ['missing user', invoked({ user_id: null }), request],
  ['place', invoked(), { ...request, remember: { choices: [1], scope: '/etc' } }],
  ['list of choices', invoked(), { ...request, choices: ['Yes', 'Always', 'No'] }],
  ['list of remembered choices', invoked(), { ...request, remember: { choices: [0], scope: '/srv' } }],
  ['request without memory', invoked(), { ...request, remember: undefined }],
])('a choice does not hold for another %s', async (_, invocation, other) => {
  const { decisions } = start()
  await decisions.keep(invoked(), request, 1, now)
  expect(await decisions.recall(invocation, other)).toBeNull()
})

it('a choice is found at its new place in the list', async () => {
  const { decisions } = start()
  await decisions.keep(invoked(), request, 1, now)
  const moved = { ...request, choices: ['Yes for session', 'No'], remember: { choices: [0], scope: '/srv' } }
  expect(await decisions.recall(invoked(), moved)).toMatchObject({ index: 0 })
})

it('a call without a user has its own choices', async () => {
  const { decisions } = start()
  await decisions.keep({ operation: 'write', group_id: 'g', id: 'i' } as ToolInvocation, request, 1, now)
  expect(await decisions.recall(invoked({ user_id: null }), request)).toMatchObject({
    decision: { userId: null },
  })
})

it('one choice is forgotten, or all of a conversation', async () => {
  const { decisions } = start()
  const other = { ...request, remember: { choices: [1], scope: '/etc' } }
  await decisions.keep(invoked(), request, 1, now)
  await decisions.keep(invoked(), other, 1, now)
  await decisions.keep(invoked({ group_id: 'h' }), request, 1, now)
  await decisions.forget('g', { operation: 'write', scope: '/srv', userId: 'ada' })
  expect(await decisions.list('g')).toMatchObject([{ scope: '/etc' }])
  await decisions.keep(invoked(), request, 1, now)
  await decisions.forget('g')
  expect([(await decisions.list('g')).length, (await decisions.list('h')).length]).toEqual([0, 1])
})

it.each(['{', '[]', '{"version":2}'])('an unreadable choice asks the user again: %s', async (text) => {
  const { files, decisions } = start()
  await decisions.keep(invoked(), request, 1, now)
  const [path] = files.keys()
  files.set(String(path), text)
  expect(await decisions.recall(invoked(), request)).toBeNull()
  expect(await decisions.list('g')).toEqual([])
})

it('a failure of the storage is an error', async () => {
  const { decisions } = start()
  const broken = new Decisions({
    read: async () => {
      throw new Error('broken')
    },
    writeAtomic: async () => {},
    list: async () => ['a.json'],
    remove: async () => {},
  })
  await expect(broken.recall(invoked(), request)).rejects.toThrow('broken')
  await expect(broken.list('g')).rejects.toThrow('broken')
  expect(await decisions.list('g')).toEqual([])
})
