import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LocalSandbox } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import { before } from './attacker/before.mjs'
import { meanwhile } from './attacker/meanwhile.mjs'
import { type Battlefield, battlefield, type Level } from './workspace.ts'

const canIsolate = await new LocalSandbox({ workdir: import.meta.dirname, isolation: 'strict' })
  .activeIsolation()
  .then(
    () => true,
    () => false,
  )
const levels: Level[] = canIsolate ? ['strict', 'signature', 'strict and signature'] : ['signature']

/** After these the question on record is another one than the agent's runner asked, and no answer to it counts. */
const SPOILS_ITS_QUESTION = [
  'gives its question the nonce of another one, and replays the answer to that',
  'edits the question before the person answers it',
]

const PERSONS = { id: 'colour', kind: 'answered', answer: 'Blue' }

/** The content of the host's folder, file by file. */
async function answerFilesIn({ sandbox }: Battlefield): Promise<Record<string, unknown>[]> {
  const folder = join(sandbox.workdir, '.sandagent/approvals')
  const texts = (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8'))
  return (await Promise.all(texts)).map((text) => JSON.parse(text))
}

async function expectNothingOutside({ outside }: Battlefield): Promise<void> {
  expect(await readdir(outside)).toEqual(['victim'])
  expect(await readFile(join(outside, 'victim'), 'utf8')).toBe('untouched')
}

/** An answer file as it was stored for a run before: somebody picked "Red" there. */
async function answerOfBefore(field: Battlefield): Promise<unknown> {
  await field.start({ runId: 'before' })
  expect(await field.answer('before', 'colour', 'Red')).toBe(true)
  await field.heard('before', 'colour')
  expect(await field.answer('before', 'second', 'Yes')).toBe(true)
  await field.heard('before', 'second')
  return JSON.parse((await field.sandbox.files.read('.sandagent/approvals/before-colour.json')) as string)
}

describe.each(levels)(
  'kept by %s, an agent reads no answer but that of a person, and changes nothing outside',
  (level) => {
    const all = [...Object.keys(before), ...Object.keys(meanwhile)]
    const attacks = all.filter((attack) => attack !== 'answers the question of another run')
    // Without isolation, root would really do it, on this machine.
    const possible =
      level !== 'signature' ? attacks : attacks.filter((attack) => !attack.startsWith('mounts'))

    it.each(possible)('when it %s', async (attack) => {
      const field = await battlefield(level)
      const replay = attack.includes('replays') ? await answerOfBefore(field) : null
      const run = await field.start({ runId: 'run', attack, replay })
      // Who always overwrites and moves what is there keeps every answer from being read.
      const isReadable = !(level === 'signature' && attack.startsWith('races'))

      // What the agent did comes before the second answer, and has been seen when that one is read.
      const isSecondAccepted = await field.answer('run', 'second', 'No')
      if (!isReadable) await field.complained('run', 'was ignored')
      else if (isSecondAccepted) await field.heard('run', 'second')
      expect((await field.reads('run')).filter(({ id }) => id === 'colour')).toEqual([])

      const isAccepted = await field.answer('run', 'colour', 'Blue')
      if (isAccepted && isReadable && !SPOILS_ITS_QUESTION.includes(attack))
        expect(await field.heard('run', 'colour')).toEqual(PERSONS)
      // Whatever the host did with what it found there has been seen, too, when the run has ended in order.
      await field.sandbox.detached.interrupt(run.handle)
      await run.ended
      for (const { id, kind, answer } of await field.reads('run'))
        if (id === 'colour') expect({ id, kind, answer }).toEqual(kind === 'aborted' ? { id, kind } : PERSONS)

      await expectNothingOutside(field)
      if (level !== 'signature')
        for (const answerFile of await answerFilesIn(field)) expect(answerFile.answeredBy).toBe('person')
    })

    it('when it leaves a process behind that answers later', async () => {
      const field = await battlefield(level)
      const first = await field.start({ runId: 'run', attack: 'leaves a process behind that answers later' })
      expect(await first.ended).toMatchObject({ exitCode: 0 })
      await field.start({ runId: 'run' })
      if (await field.answer('run', 'second', 'No')) await field.heard('run', 'second')
      expect((await field.reads('run')).filter(({ id }) => id === 'colour')).toEqual([])
      const isAccepted = await field.answer('run', 'colour', 'Blue')
      if (level !== 'signature') {
        expect(isAccepted).toBe(true)
        expect(await field.heard('run', 'colour')).toEqual(PERSONS)
      }
      for (const read of await field.reads('run')) if (read.id === 'colour') expect(read).toEqual(PERSONS)
    })

    it.each(['in another folder', 'beside it'])('when it answers the question of a run %s', async (place) => {
      const theirs = await battlefield(level)
      const field = place === 'beside it' ? theirs : await battlefield(level)
      await theirs.start({ runId: 'bystander' })
      await vi.waitFor(async () =>
        expect(await theirs.sandbox.files.list('.sandagent/questions')).toContain('bystander-second.json'),
      )
      const other = theirs.sandbox.workdir
      await field.start({ runId: 'run', attack: 'answers the question of another run', other })
      expect(await field.answer('run', 'second', 'No')).toBe(true)
      await field.heard('run', 'second')
      expect(await theirs.reads('bystander')).toEqual([])
      if (level !== 'signature') {
        expect(await theirs.answer('bystander', 'colour', 'Blue')).toBe(true)
        expect(await theirs.heard('bystander', 'colour')).toEqual(PERSONS)
      }
      await expectNothingOutside(field)
      await expectNothingOutside(theirs)
    })
  },
)
