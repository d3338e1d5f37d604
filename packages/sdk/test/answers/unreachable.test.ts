import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChannelWarning } from '@sandagent/core'
import { describe, expect, it } from 'vitest'
import {
  type AnswerHandlerOptions,
  createAnswerHandler,
  LocalSandbox,
  listQuestions,
  submitAnswer,
  toNodeHandler,
} from '../../src/index.ts'
import { post, serve } from '../support/serve.ts'
import { answerFile, ask, LANGUAGE, refusalOf, tempSandbox } from '../support/temp-sandbox.ts'

const answer = {
  toolCallId: 'toolu_1',
  questions: [LANGUAGE],
  answers: { 'Which language?': 'Python' },
}

const replaced = async (path: string, make: (path: string) => Promise<unknown>): Promise<void> => {
  await rename(path, `${path}.moved`)
  await make(path)
}
const nothing = async (): Promise<void> => {}
const aFile = (path: string) => writeFile(path, '')
const aLoop = (path: string) => symlink(path, path)

/** What keeps a host from reading: where, and what is put in its place. */
const FAULTS: [string, string, (path: string) => Promise<unknown>][] = [
  ['its folder is a file', '.sandagent/questions', aFile],
  ['its folder is a link to itself', '.sandagent/questions', aLoop],
  ['its folder was moved', '.sandagent/questions', nothing],
  ['the state folder is a file', '.sandagent', aFile],
  ['the state folder was moved', '.sandagent', nothing],
  ['the workdir was moved', '.', nothing],
  ['the workdir was moved, and an empty one is there', '.', mkdir],
  ['its file is a link to itself', '.sandagent/questions/toolu_1.json', aLoop],
  ['its file is a folder', '.sandagent/questions/toolu_1.json', mkdir],
  ['its file is torn', '.sandagent/questions/toolu_1.json', (path) => writeFile(path, '{"version": 1,')],
  ['the folder of the answers is a file', '.sandagent/approvals', aFile],
]

describe('a question that cannot be read', () => {
  it.each(FAULTS)('takes no answer, and asks to try again: %s', async (_, where, put) => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1')
    const failures: unknown[] = []
    const tell = (failure: unknown): number => failures.push(failure)
    const options: AnswerHandlerOptions = { sandbox, onError: tell, onWarning: tell }
    const url = await serve(toNodeHandler(createAnswerHandler(options)))
    const place = join(sandbox.workdir, where)
    await replaced(place, put)

    for (const response of [await post(url, answer), await fetch(`${url}?toolCallId=toolu_1`)]) {
      const text = await response.text()
      expect([response.status, JSON.parse(text)]).toMatchObject([503, { error: { code: 'UNREACHABLE' } }])
      expect(text).not.toContain(sandbox.workdir)
    }
    // Twice, or once if no question is there at all.
    expect(failures.length).toBeGreaterThan(0)
    for (const failure of failures) expect(failure).toMatchObject({ code: 'UNREACHABLE' })
    if (put !== nothing && put !== mkdir)
      expect(await refusalOf(submitAnswer(sandbox, answer))).toMatchObject({ code: 'UNREACHABLE' })

    await rm(place, { recursive: true, force: true })
    await rename(`${place}.moved`, place)
    expect(await sandbox.files.read('.sandagent/approvals/toolu_1.json')).toBeNull()
    expect((await post(url, answer)).status).toBe(200)
    expect(await answerFile(sandbox, 'toolu_1')).toMatchObject({ nonce: 'nonce of toolu_1' })
  })

  it('is left out of the list, which shows the others and warns', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1')
    await ask(sandbox, 'toolu_2')
    await replaced(join(sandbox.workdir, '.sandagent/questions/toolu_1.json'), mkdir)
    const warnings: ChannelWarning[] = []
    const onWarning = (warning: ChannelWarning) => warnings.push(warning)
    expect(await listQuestions(sandbox, { onWarning })).toMatchObject([{ toolCallId: 'toolu_2' }])
    expect(warnings).toMatchObject([{ code: 'UNSAFE_PATH' }])

    await symlink('x', join(sandbox.workdir, '.sandagent/approvals/.toolu_2.final'))
    expect(await listQuestions(sandbox, { onWarning })).toEqual([])
    expect(warnings.at(-1)).toMatchObject({ code: 'UNREACHABLE', toolCallId: 'toolu_2' })
  })

  it('takes no answer when its record goes away while the answer is stored', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1')
    const place = join(sandbox.workdir, '.sandagent')
    const { writeAtomic, ...files } = sandbox.files
    const moving = {
      files: {
        ...files,
        async writeAtomic(...args: Parameters<typeof writeAtomic>) {
          await rename(place, `${place}.moved`)
          await writeAtomic(...args)
        },
      },
    }
    expect(await refusalOf(submitAnswer(moving, answer))).toMatchObject({ code: 'UNREACHABLE' })
  })
})

describe('a workdir in which nobody asked', () => {
  it('takes an answer as the document’s sample gives it, but none that was given to a recorded question', async () => {
    const { workdir } = await tempSandbox()
    const asking = 'what a page was shown'
    expect(
      await refusalOf(submitAnswer(new LocalSandbox({ workdir }), { ...answer, questionDigest: asking })),
    ).toMatchObject({
      code: 'UNREACHABLE',
    })
    expect(await submitAnswer(new LocalSandbox({ workdir }), answer)).toMatchObject({ status: 'completed' })
  })
})

describe('a final answer that is claimed and not published', () => {
  it('is acknowledged once it is published, and not before', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'toolu_1')
    const url = await serve(toNodeHandler(createAnswerHandler({ sandbox, onError: () => {} })))
    const path = join(sandbox.workdir, '.sandagent/approvals/toolu_1.json')
    await mkdir(path)
    for (let attempt = 0; attempt < 2; attempt++) {
      const response = await post(url, { ...answer, status: 'completed' })
      expect([response.status, await response.json()]).toMatchObject([
        503,
        { error: { code: 'UNREACHABLE' } },
      ])
    }
    await rm(path, { recursive: true })
    expect(await (await post(url, { ...answer, status: 'completed' })).json()).toEqual({
      success: true,
      status: 'completed',
      revision: 1,
    })
    expect(await readFile(path, 'utf8')).toBe(
      await readFile(join(sandbox.workdir, '.sandagent/approvals/.toolu_1.final'), 'utf8'),
    )
  })
})
