import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BoundAnswerFile } from '@sandagent/core/internal'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it } from 'vitest'
import { revisionClaimName } from '../../../src/channel/file-paths.ts'
import { createFileHostChannel, createFileRunnerChannel, createLocalFiles } from '../../../src/index.ts'
import { answerFileFor, openRecord } from '../../records.ts'

const rule = { votes: 2 }
const vote = (answeredBy: string, revision: number) => ({
  answeredBy,
  revision,
  timestamp: '2026-01-01T00:00:01.000Z',
})
const voted = (...names: string[]): BoundAnswerFile =>
  answerFileFor('toolu_1', {
    status: 'pending',
    nonce: 'nonce',
    revision: names.length,
    rule,
    votes: names.map((name, index) => vote(name, index + 1)),
  })
const answer: BoundAnswerFile = { ...voted('ada', 'ben'), status: 'completed' }

async function place() {
  const workdir = await tempDir()
  const runner = createFileRunnerChannel({ workdir })
  await runner.open(openRecord('toolu_1'))
  const approvals = join(workdir, '.sandagent/approvals')
  return {
    runner,
    approvals,
    // Each has files of its own, as each process has.
    host: () => createFileHostChannel({ files: { ...createLocalFiles(workdir), id: undefined } }),
    /** Leaves what a host leaves that stops right behind the claim of a revision. */
    claim: (answerFile: BoundAnswerFile) =>
      writeFile(
        join(approvals, revisionClaimName('toolu_1.json', 'nonce', answerFile.revision)),
        JSON.stringify(answerFile),
      ),
  }
}

it('a vote that was claimed and not published counts for the next host', async () => {
  const { host, claim, approvals } = await place()
  await host().write(voted('ada'), { expectedRevision: 0 })
  await claim(voted('ada', 'ben'))
  expect((await host().read('toolu_1')).answerFile?.votes).toHaveLength(2)
  // Votes are a draft until there are enough: nothing is final.
  expect((await readdir(approvals)).filter((name) => name.endsWith('.final'))).toEqual([])
  await expect(host().write(voted('ada', 'eve'), { expectedRevision: 1 })).rejects.toMatchObject({
    code: 'CONFLICT',
  })
})

it('the first vote of all counts even if its host stopped before it could publish it', async () => {
  const { host, claim } = await place()
  await host().write(answerFileFor('toolu_2', { status: 'pending' }), { expectedRevision: 0 })
  await claim(voted('ada'))
  await expect(host().write(voted('ben'), { expectedRevision: 0 })).rejects.toMatchObject({
    code: 'CONFLICT',
  })
  expect((await host().read('toolu_1')).answerFile?.votes).toMatchObject([{ answeredBy: 'ada' }])
  await host().write(voted('ada', 'ben'), { expectedRevision: 1 })
})

it('an answer that was claimed and not published is published by the next host that looks', async () => {
  const { host, claim, runner } = await place()
  await host().write(voted('ada'), { expectedRevision: 0 })
  await claim(answer)
  expect(await runner.read('toolu_1')).toMatchObject({ status: 'pending' })
  expect((await host().read('toolu_1')).answerFile).toMatchObject({ status: 'completed' })
  expect(await runner.read('toolu_1')).toMatchObject({ status: 'completed' })
})

it('of two hosts that store the same revision, one gets a conflict, and an older file that comes back changes nothing', async () => {
  const { host, approvals } = await place()
  await host().write(voted('ada'), { expectedRevision: 0 })
  const before = await readFile(join(approvals, 'toolu_1.json'), 'utf8')
  const writes = ['ben', 'cleo', 'dan'].map((name) =>
    host()
      .write(voted('ada', name), { expectedRevision: 1 })
      .then(() => name),
  )
  const results = await Promise.allSettled(writes)
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
  const [winner] = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  // A slow writer renames its file into place.
  await writeFile(join(approvals, 'late'), before)
  await rename(join(approvals, 'late'), join(approvals, 'toolu_1.json'))
  expect((await host().read('toolu_1')).answerFile?.votes?.at(-1)?.answeredBy).toBe(winner)
})

it('a claim that no host made does not keep people from voting', async () => {
  const { host, approvals } = await place()
  await host().write(voted('ada'), { expectedRevision: 0 })
  const name = revisionClaimName('toolu_1.json', 'nonce', 2)
  await writeFile(join(approvals, name), 'nonsense')
  await host().write(voted('ada', 'ben'), { expectedRevision: 1 })
  expect((await host().read('toolu_1')).answerFile?.votes).toHaveLength(2)
})

it('a question that is not recorded has no revisions that are claimed', async () => {
  const { host, approvals } = await place()
  await host().write(answerFileFor('toolu_2', { status: 'pending' }), { expectedRevision: 0 })
  expect(await readdir(approvals)).toEqual(['toolu_2.json'])
})

it('a final answer leaves its claim alone, and removes those of drafts', async () => {
  const { host, approvals } = await place()
  const of = (revision: number, status: 'pending' | 'completed') =>
    answerFileFor('toolu_1', { status, nonce: 'nonce', revision })
  for (const revision of [1, 2])
    await host().write(of(revision, 'pending'), { expectedRevision: revision - 1 })
  expect((await readdir(approvals)).filter((name) => /\.r\d+$/.test(name))).toHaveLength(2)
  await host().write(of(3, 'completed'), { expectedRevision: 2 })
  expect((await readdir(approvals)).sort()).toEqual(['.toolu_1.final', 'toolu_1.json'])
})

it('a draft of an older host, which overwrites ours in place, counts, and the next one follows it', async () => {
  const { host, runner, approvals } = await place()
  const draft = (revision: number, answeredBy: string) =>
    answerFileFor('toolu_1', { status: 'pending', nonce: 'nonce', revision, answeredBy })
  await host().write(draft(1, 'ada'), { expectedRevision: 0 })
  await host().write(draft(2, 'ada'), { expectedRevision: 1 })
  const { revision: _, nonce: __, ...older } = draft(0, 'older')
  await writeFile(join(approvals, 'toolu_1.json'), JSON.stringify(older))
  const { answerFile } = await host().read('toolu_1')
  expect(answerFile).toMatchObject({ answeredBy: 'older' })
  expect(await runner.read('toolu_1')).toMatchObject({ answeredBy: 'older' })
  for (const next of [1, 2, 3]) {
    const expectedRevision = (answerFile?.revision ?? 0) + next - 1
    await host().write(draft(expectedRevision + 1, `next ${next}`), { expectedRevision })
    expect((await host().read('toolu_1')).answerFile).toMatchObject({ answeredBy: `next ${next}` })
    expect(await runner.read('toolu_1')).toMatchObject({ answeredBy: `next ${next}` })
  }
})

it('a runner that starts again believes a receipt whose answer was replaced too late, and no other receipt', async () => {
  const { host, runner, approvals } = await place()
  const click = (revision: number, label: string) =>
    answerFileFor('toolu_1', {
      nonce: 'nonce',
      revision,
      replaceable: true,
      responses: { q1: { selected: [label], source: 'human' } },
    })
  await host().write(click(1, 'A'), { expectedRevision: 0 })
  const receipt = (label: string) => ({
    state: 'answered' as const,
    settledAt: '2026-01-01T00:00:02.000Z',
    responses: { q1: { selected: [label], source: 'human' as const } },
    revision: 1,
  })
  await runner.settle('toolu_1', receipt('A'))
  await host().write(click(2, 'B'), { expectedRevision: 1 })
  const workdir = join(approvals, '../..')
  const restarted = () => createFileRunnerChannel({ workdir })
  const again = { ...openRecord('toolu_1'), nonce: 'another' }
  expect(await restarted().open(again)).toMatchObject({ state: 'answered', nonce: 'nonce' })
  await restarted().settle('toolu_1', receipt('B'))
  expect(await restarted().open(again)).toMatchObject({ state: 'open', nonce: 'another' })
})
