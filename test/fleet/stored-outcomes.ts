import { parseAnswerFile, parseQuestionRecord } from '@sandagent/core'
import type { StoredQuestion } from '@sandagent/core/store'
import type { FleetStore } from '@sandagent/fleet'
import { expect, onTestFinished, vi } from 'vitest'
import type { FleetProcesses } from './fleet-processes.ts'

const versions = ({ record, answer }: StoredQuestion): string => `${record?.version} ${answer?.version}`

/** Follows all questions until the test is over. The map has the latest versions that came. */
export function followVersions(fleet: FleetStore): Map<string, string> {
  const seen = new Map<string, string>()
  const stop = new AbortController()
  const follow = async (): Promise<void> => {
    for await (const list of fleet.questions('n1').subscribe(stop.signal))
      for (const stored of list) seen.set(stored.toolCallId, versions(stored))
  }
  const following = follow()
  onTestFinished(async () => {
    stop.abort()
    await following
  })
  return seen
}

/** Expects what the processes said in the store, and that a subscription brought the last of it. */
export async function checkStored(
  fleet: FleetStore,
  { ended }: FleetProcesses,
  seen: ReadonlyMap<string, string>,
): Promise<void> {
  const all = await fleet.questions('n1').list()
  expect(all.map(({ toolCallId }) => toolCallId).sort()).toEqual([...ended.keys()].sort())
  for (const { toolCallId, record, answer } of all) {
    const { kind, answeredBy } = ended.get(toolCallId) ?? {}
    const settled = parseQuestionRecord(record?.text ?? '')
    expect(settled, toolCallId).toMatchObject({ state: kind, ...(answeredBy && { answeredBy }) })
    if (kind === 'answered')
      expect(parseAnswerFile(answer?.text ?? '').answeredBy, toolCallId).toBe(answeredBy)
  }
  await vi.waitFor(() => {
    for (const stored of all) expect(seen.get(stored.toolCallId)).toBe(versions(stored))
  })
}

/** What happened, in one line. Expects that there was enough of everything. */
export function summary({ ended, told }: FleetProcesses, atLeast: number): string {
  const outcomes = [...ended.values()].map(({ kind }) => kind)
  const people = [...told.values()].flat().map((each) => each.told)
  const count = (all: readonly string[], one: string, least: number): string => {
    const found = all.filter((each) => each === one).length
    expect(found, one).toBeGreaterThanOrEqual(least)
    return `${found} ${one}`
  }
  return [
    `${outcomes.length} questions`,
    ...['answered', 'timed-out'].map((kind) => count(outcomes, kind, atLeast)),
    'people were told:',
    ...['stored', 'CONFLICT', 'GONE'].map((each) => count(people, each, 1)),
  ].join(', ')
}
