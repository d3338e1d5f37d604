import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Outcome, QuestionView } from '@sandagent/core'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createSigningKey } from '@sandagent/sdk'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { post } from '../support/servers/serve.ts'
import { bundledProgram } from './bundled-program.ts'
import { asked } from './question.ts'
import { type Part, startPart } from './start-part.ts'

/** What a person sends: the text of the answer. Without a status it is a click, as older pages send it. */
type Status = 'pending' | 'completed' | undefined

interface Host {
  /** Sends an answer of a person. Resolves to the HTTP status. */
  send(browser: string, text: string, status: Status): Promise<number>
  view(browser: string): Promise<QuestionView>
}

let folder: string
let program: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandagent-test-'))
  program = await bundledProgram('part.mjs', folder)
})
afterAll(() => rm(folder, { recursive: true }))

async function startHost(
  workdir: string,
  options: object,
  circumstances?: Parameters<typeof startPart>[5],
): Promise<Host> {
  const url = await startPart(program, 'host', workdir, options, undefined, circumstances).says<string>('url')
  return {
    async send(browser, text, status) {
      const responses = { q1: { selected: [], freeText: text, source: 'human' } }
      return (await post(url, { toolCallId: 't1', browser, responses, ...(status && { status }) })).status
    },
    view: async (browser) => (await fetch(`${url}/?toolCallId=t1&browser=${browser}`)).json(),
  }
}

/** A question that waits, and two hosts. The syncs of the first one wait while it is slow; its clock may be ahead. */
async function twoHosts({ isSigned = false, aheadMs = 0, timeoutMs = 60_000 } = {}) {
  const workdir = await tempDir()
  const slowWhile = join(await tempDir(), 'slow')
  const options = isSigned ? { signingKey: await createSigningKey() } : {}
  const runner = startPart(program, 'runner', workdir, { ...options, request: asked, timeoutMs })
  await runner.says('asked')
  const [slow, fast] = await Promise.all([
    startHost(workdir, options, { SLOW_WHILE: slowWhile, AHEAD_MS: `${aheadMs}` }),
    startHost(workdir, options),
  ])
  return {
    runner,
    slow,
    fast,
    /** The slow host gets an answer, and stands still before it stores it. Meanwhile something else happens. */
    async slowly(sending: () => Promise<number>, meanwhile: () => Promise<void>): Promise<number> {
      await writeFile(slowWhile, '')
      const sent = sending()
      await vi.waitFor(() => access(`${slowWhile}.waits`))
      await meanwhile()
      await rm(slowWhile)
      return sent
    },
  }
}

const textOf = ({ responses }: Pick<QuestionView, 'responses'>): string | undefined => {
  const response = responses.q1
  return response && 'selected' in response ? response.freeText : undefined
}

const agentGets = async (runner: Part): Promise<string | undefined> =>
  textOf(await runner.says<Outcome>('outcome'))

describe('two hosts of one folder, of which one is slow', () => {
  it('bring the agent the final answer that the slow one stores, whatever others draft meanwhile', async () => {
    const { runner, slow, fast, slowly } = await twoHosts({ isSigned: true })
    const status = await slowly(
      () => slow.send('ada', 'Yes', 'completed'),
      async () => {
        expect(await fast.send('ben', 'N', 'pending')).toBe(200)
        expect(await fast.send('ben', 'No', 'pending')).toBe(200)
      },
    )
    expect(status).toBe(200)
    expect(await agentGets(runner)).toBe('Yes')
    expect(await fast.send('ben', 'No', 'completed')).toBe(409)
    // The receipt is written right behind the answer.
    await vi.waitFor(async () =>
      expect(await fast.view('ben')).toMatchObject({ state: 'answered', byOther: true }),
    )
    expect(await fast.view('ben')).not.toHaveProperty('disputed')
  })

  it('keep the drafts of two people', async () => {
    const { slow, fast, slowly } = await twoHosts()
    const status = await slowly(
      () => slow.send('ada', 'Yes', 'pending'),
      async () => expect(await fast.send('ben', 'No', 'pending')).toBe(200),
    )
    expect(status).toBe(200)
    const others = async (browser: string) => (await fast.view(browser)).otherDrafts?.map(textOf)
    expect([textOf(await fast.view('ada')), await others('ada')]).toEqual(['Yes', ['No']])
    expect([textOf(await slow.view('ben')), await others('ben')]).toEqual(['No', ['Yes']])
  })

  it('keep the later draft of one person', async () => {
    const { slow, fast, slowly } = await twoHosts()
    const status = await slowly(
      () => slow.send('ada', 'Ye', 'pending'),
      async () => expect(await fast.send('ada', 'Yes', 'pending')).toBe(200),
    )
    expect(status).toBe(200)
    expect(textOf(await slow.view('ada'))).toBe('Yes')
  })

  it('give the agent the last click', async () => {
    const { runner, slow, fast, slowly } = await twoHosts({ isSigned: true })
    const status = await slowly(
      () => slow.send('ada', 'Left', undefined),
      async () => expect(await fast.send('ada', 'Right', undefined)).toBe(200),
    )
    expect(status).toBe(200)
    expect(await agentGets(runner)).toBe('Right')
  })

  it('let no final answer of one person replace the click of another that was stored', async () => {
    const { runner, slow, fast, slowly } = await twoHosts()
    const status = await slowly(
      () => slow.send('ben', 'No', 'completed'),
      async () => expect(await fast.send('ada', 'Yes', undefined)).toBe(200),
    )
    expect(status).toBe(409)
    expect(await agentGets(runner)).toBe('Yes')
  })

  it('lose no click to a draft that somebody else saves later', async () => {
    const { runner, slow, fast, slowly } = await twoHosts()
    const status = await slowly(
      () => slow.send('ada', 'Yes', undefined),
      async () => expect(await fast.send('ben', 'No', 'pending')).toBe(200),
    )
    expect(status).toBe(200)
    expect(await agentGets(runner)).toBe('Yes')
  })
})

describe('two hosts of one folder', () => {
  it('give the agent the later click, also if the clock of the first host is ahead', async () => {
    const { runner, slow, fast } = await twoHosts({ aheadMs: 5000 })
    expect(await slow.send('ada', 'Left', undefined)).toBe(200)
    expect(await fast.send('ada', 'Right', undefined)).toBe(200)
    expect(await agentGets(runner)).toBe('Right')
  })

  it('keep the drafts that two people save at the same moment, each time', async () => {
    const { slow, fast } = await twoHosts()
    for (let n = 0; n < 25; n++) {
      const statuses = [slow.send('ada', `Ada ${n}`, 'pending'), fast.send('ben', `Ben ${n}`, 'pending')]
      expect(await Promise.all(statuses)).toEqual([200, 200])
      const [ada, ben] = await Promise.all([fast.view('ada'), slow.view('ben')])
      expect([textOf(ada), textOf(ben)]).toEqual([`Ada ${n}`, `Ben ${n}`])
    }
  })
})
