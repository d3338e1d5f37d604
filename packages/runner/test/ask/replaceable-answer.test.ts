import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Question, RunnerChannel } from '@sandagent/core'
import { createFakeClock } from '@sandagent/testing'
import { expect, it, vi } from 'vitest'
import { askUser } from '../../src/index.ts'
import { createWorkspace, picked, type Workspace } from '../workspace.ts'

const extras: Question = {
  id: 'extras',
  question: 'Which extras?',
  multiSelect: true,
  options: [{ label: 'Tests' }, { label: 'Docs' }],
}
const language: Question = { question: 'Which language?', options: [{ label: 'Go' }, { label: 'C' }] }

/** Asks, and writes down what the runner does with its channel. */
async function asking(space: Workspace, questions: Question[], quietMs?: number) {
  const clock = createFakeClock()
  const steps: string[] = []
  const channel: RunnerChannel = {
    ...space.channel,
    close(toolCallId, reason) {
      steps.push(reason)
      return space.channel.close(toolCallId, reason)
    },
  }
  const onAsked = vi.fn()
  const outcome = askUser(channel, { toolCallId: 'c', questions, runId: 'r' }, { clock, quietMs, onAsked })
  // What is stored before does not count.
  await vi.waitFor(() => expect(onAsked).toHaveBeenCalled())
  return { clock, outcome, steps }
}

it('an answer to a multiple choice that may be replaced is taken once it was quiet for a while', async () => {
  const space = await createWorkspace()
  const { clock, outcome, steps } = await asking(space, [extras], 4000)
  await space.respond('c', { extras: picked('Tests') }, { replaceable: true })
  await vi.waitFor(() => expect(clock.pending()).toBe(1))
  clock.advance(3999)
  await space.respond('c', { extras: picked('Tests', 'Docs') }, { replaceable: true })
  clock.advance(3999)
  expect(steps).toEqual([])
  await vi.waitFor(() => {
    if (steps.length === 0) clock.advance(4000)
    expect(steps).toEqual(['answered'])
  })
  expect(await outcome).toMatchObject({ kind: 'answered', responses: { extras: picked('Tests', 'Docs') } })
  expect(await space.record('c')).toMatchObject({ state: 'answered', revision: 2 })
})

it('an answer of single choices that may be replaced is taken at once, after one more look', async () => {
  const space = await createWorkspace()
  const { outcome, steps } = await asking(space, [language])
  await space.respond('c', { q1: picked('Go') }, { replaceable: true })
  expect(await outcome).toMatchObject({ kind: 'answered', responses: { q1: picked('Go') } })
  expect(steps).toEqual(['answered'])
})

it('an answer that a person takes back in time is not taken', async () => {
  const space = await createWorkspace()
  const { clock, outcome, steps } = await asking(space, [extras])
  await space.respond('c', { extras: picked('Tests') }, { replaceable: true })
  await vi.waitFor(() => expect(clock.pending()).toBe(1))
  await space.respond('c', {}, { status: 'pending' })
  await vi.waitFor(() => expect(clock.pending()).toBe(0))
  expect(steps).toEqual([])
  await space.respond('c', { extras: picked('Docs') })
  expect(await outcome).toMatchObject({ responses: { extras: picked('Docs') } })
})

/** What a host that knows the document's four keys alone writes, over what it wrote before. */
async function olderHostWrites(
  { workdir }: Workspace,
  questions: Question[],
  answers: Record<string, string>,
) {
  const folder = join(workdir, '.sandagent/approvals')
  await mkdir(folder, { recursive: true })
  const file = { questions, answers, status: 'completed', timestamp: new Date().toISOString() }
  await writeFile(join(folder, 'c.json'), JSON.stringify(file))
}

it('every click on a multiple choice counts that an older host stores as an answer', async () => {
  const space = await createWorkspace()
  const { clock, outcome } = await asking(space, [extras])
  await olderHostWrites(space, [extras], { 'Which extras?': 'Tests' })
  await vi.waitFor(() => expect(clock.pending()).toBe(1))
  await olderHostWrites(space, [extras], { 'Which extras?': 'Tests, Docs' })
  let over = false
  const ended = outcome.finally(() => {
    over = true
  })
  await vi.waitFor(() => {
    if (!over) clock.advance(1500)
    expect(over).toBe(true)
  })
  expect(await ended).toMatchObject({ responses: { extras: picked('Tests', 'Docs') } })
})

it.each([
  ['nothing', {}, { kind: 'timed-out', responses: {} }],
  ['one answer', { 'Which extras?': 'Docs' }, { kind: 'partial', responses: { extras: picked('Docs') } }],
])(
  'a time-out that the successor’s host writes into the answers ends the wait, with %s',
  async (_, given, expected) => {
    const space = await createWorkspace()
    const questions = [extras, language]
    const { outcome } = await asking(space, questions)
    await olderHostWrites(space, questions, { ...given, __bunny_agent_timeout__: 'Timed out' })
    expect(await outcome).toMatchObject(expected)
  },
)
