import assert from 'node:assert/strict'
import type { SandboxFiles } from '@sandagent/files'
import { onlyWinner, refuses } from '../expect.ts'
import type { SandboxCase, SandboxContext } from './context.ts'

const ROUNDS = 5
const WRITERS = 6

/** Lets writers of these objects race, some rounds long. Gives the text of the winner of each round. */
async function race(
  objects: readonly SandboxFiles[],
  write: (files: SandboxFiles, round: number, text: string) => Promise<void>,
): Promise<string[]> {
  const winners: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const writes = Array.from({ length: WRITERS }, (_, n) =>
      write(objects[n % objects.length] as SandboxFiles, round, `writer ${n}`),
    )
    winners.push(`writer ${onlyWinner(await Promise.allSettled(writes))}`)
  }
  return winners
}

/** The text of a claim, which may be a folder. */
async function claimText(files: SandboxFiles, path: string): Promise<string | null> {
  try {
    return await files.read(path)
  } catch (error) {
    assert.equal((error as { code?: string }).code, 'UNSAFE_PATH', `read of a claim fails with ${error}`)
    return files.read(`${path}/claim.json`)
  }
}

async function exclusiveRace(objects: readonly SandboxFiles[]): Promise<void> {
  const winners = await race(objects, (files, round, text) =>
    files.writeAtomic(`a/${round}.json`, text, { exclusive: true }),
  )
  for (const files of objects)
    for (const [round, winner] of winners.entries()) assert.equal(await files.read(`a/${round}.json`), winner)
}

async function claimRace(objects: readonly SandboxFiles[], as: 'claim' | 'revision'): Promise<void> {
  const winners = await race(objects, (files, round, text) =>
    files.writeAtomic(`a/${round}.json`, text, { [as]: `.${round}.final` }),
  )
  for (const files of objects)
    for (const [round, winner] of winners.entries()) {
      assert.equal(await files.read(`a/${round}.json`), winner)
      assert.equal(await claimText(files, `a/.${round}.final`), winner)
    }
}

const filesOfTwo = async ({ sandbox, another }: SandboxContext): Promise<SandboxFiles[]> => [
  sandbox.files,
  (await another()).files,
]

export const writerCases: readonly SandboxCase[] = [
  {
    name: 'of several writers that create a file, one succeeds and the others get CONFLICT',
    run: ({ sandbox }) => exclusiveRace([sandbox.files]),
  },
  {
    name: 'of the writers of two objects that create a file, one succeeds',
    needs: 'another',
    run: async (context) => exclusiveRace(await filesOfTwo(context)),
  },
  {
    name: 'of several writers with one claim, one succeeds, and the file has the text of the claim',
    run: ({ sandbox }) => claimRace([sandbox.files], 'claim'),
  },
  {
    name: 'of the writers of two objects with one claim, one succeeds',
    needs: 'another',
    run: async (context) => claimRace(await filesOfTwo(context), 'claim'),
  },
  {
    name: 'of several writers of one revision, one succeeds, and the file has the text of the revision',
    run: ({ sandbox }) => claimRace([sandbox.files], 'revision'),
  },
  {
    name: 'a writer whose revision is taken makes no claim, and one whose claim is taken leaves the file alone',
    async run({ sandbox: { files } }) {
      await files.writeAtomic('a/f', 'draft', { revision: '.f.r1' })
      const late = { revision: '.f.r1', claim: '.f.final' }
      await refuses('CONFLICT', files.writeAtomic('a/f', 'late', late))
      assert.equal(await files.read('a/.f.final'), null)
      await files.writeAtomic('a/f', 'final', { revision: '.f.r2', claim: '.f.final' })
      await refuses('CONFLICT', files.writeAtomic('a/f', 'late', { revision: '.f.r3', claim: '.f.final' }))
      assert.equal(await files.read('a/f'), 'final')
      assert.equal(await claimText(files, 'a/.f.final'), 'final')
      assert.equal(await claimText(files, 'a/.f.r1'), 'draft')
    },
  },
  {
    name: 'a file that exists is not created again',
    async run({ sandbox: { files }, inside }) {
      await files.writeAtomic('f', 'first')
      await inside('require("node:fs").writeFileSync("by-a-program", "first")')
      for (const path of ['f', 'by-a-program']) {
        await refuses('CONFLICT', files.writeAtomic(path, 'second', { exclusive: true }), path)
        assert.equal(await files.read(path), 'first')
      }
    },
  },
  {
    name: 'a writer whose claim is taken leaves the file alone',
    async run({ sandbox: { files } }) {
      await files.writeAtomic('a/.f.final', 'a claim', { exclusive: true })
      await refuses('CONFLICT', files.writeAtomic('a/f', 'late', { claim: '.f.final' }))
      assert.equal(await files.read('a/f'), null)
      await files.writeAtomic('a/f', 'draft')
      await refuses('CONFLICT', files.writeAtomic('a/f', 'late', { claim: '.f.final' }))
      assert.equal(await files.read('a/f'), 'draft')
    },
  },
  {
    name: 'a claim keeps its text when the file beside it is replaced',
    async run({ sandbox: { files } }) {
      await files.writeAtomic('a/f', 'final', { claim: '.f.final' })
      await files.writeAtomic('a/f', 'replaced')
      assert.equal(await files.read('a/f'), 'replaced')
      assert.equal(await claimText(files, 'a/.f.final'), 'final')
    },
  },
  {
    name: 'what one object writes, another object reads at once',
    needs: 'another',
    async run(context) {
      const [one, two] = (await filesOfTwo(context)) as [SandboxFiles, SandboxFiles]
      assert.equal(one.id, two.id, 'objects for one place have one id')
      for (let n = 0; n < 5; n++) {
        await one.writeAtomic('a/f', `${n}`)
        assert.equal(await two.read('a/f'), `${n}`)
        assert.ok((await two.list('a')).includes('f'))
      }
    },
  },
]
