import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Outcome, parseAnswerFile } from '@sandagent/core'
import { digestOf } from '@sandagent/core/internal'
import { answerFilePath } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createInbox } from '@sandagent/inbox'
import type { StoredAnswer } from '@sandagent/sdk'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { type GrantEntry, listGrants, revokeGrant } from '../src/index.ts'
import { createTestHost, decided, type TestHost } from './host.ts'

const NODE = 'Every command that starts with `node`'
const bash = (command: string) => ({ command, description: 'Runs it' })

/** Asks, and lets ada allow the call together with a scope. */
const begin = async (host: TestHost, covers: string, command = 'node a.js'): Promise<void> => {
  const asked = host.ask('first', 'Bash', bash(command))
  const response = await host.allow('first', covers)
  expect(response.status).toBe(200)
  expect(decided(await asked)).toBe('allowOnce')
}

/** Whether a question still waits after the host has looked at it: it answers two other ones that came later. */
const stillWaits = async (host: TestHost, toolCallId: string): Promise<boolean> => {
  await host.view(toolCallId)
  const fence = (count: number): Promise<Outcome> => host.ask(`fence-${count}-${toolCallId}`, 'Fence', {})
  const given = fence(0)
  await host.allow(`fence-0-${toolCallId}`, 'This exact call of `Fence`, in this folder')
  await given
  for (const count of [1, 2]) expect(decided(await fence(count))).toBe('allowOnce')
  return (await host.view(toolCallId)).state === 'open'
}

/** Asks for a command, sees that the host leaves it to a person and says why, and denies it. */
const asksAgain = async (
  host: TestHost,
  toolCallId: string,
  command: string,
  { why, ...more }: { why: string; runId?: string },
): Promise<void> => {
  const asked = host.ask(toolCallId, 'Bash', bash(command), more)
  expect(await stillWaits(host, toolCallId)).toBe(true)
  const view = await host.view(toolCallId)
  expect(view.asksAgain).toBe(why)
  await host.answer(view, 'deny')
  await asked
}

/** The grants but those of the fence. */
const given = async (folder: string): Promise<GrantEntry[]> =>
  (await listGrants(folder)).filter(({ covers }) => !covers.includes('Fence'))

describe('a grant', () => {
  it('is offered in plain words, the narrowest first', async () => {
    const host = await createTestHost()
    const asked = host.ask('first', 'Bash', bash('node a.js'))
    const view = await host.view('first')
    expect(view.scopes?.map(({ covers }) => covers)).toEqual([
      'Exactly the command `node a.js`, until this run ends.',
      'Every command that starts with `node a.js`, until this run ends. `node` can run any code.',
      'Every command that starts with `node`, for 10 minutes. `node` can run any code.',
      'Every command that starts with `node`, until this run ends. `node` can run any code.',
      'Exactly the command `node a.js`, in this folder, until somebody takes it back.',
      'Every command that starts with `node a.js`, in this folder, until somebody takes it back. `node` can run any code.',
    ])
    await host.answer(view, 'deny')
    expect(decided(await asked)).toBe('deny')
    expect(await host.grants.list()).toEqual([])
  })

  it('answers the next call that it covers, signed and by its name', async () => {
    const host = await createTestHost()
    await begin(host, `${NODE}, until this run ends`)
    const [given] = await host.grants.list()
    const outcome = await host.ask('second', 'Bash', bash('node b.js --fast'))
    expect(decided(outcome)).toBe('allowOnce')
    expect(outcome.answeredBy).toBe('ada')
    const text = await readFile(join(host.sandbox.workdir, answerFilePath('second')), 'utf8')
    const { signature, grant } = parseAnswerFile(text)
    const covers = 'Every command that starts with `node`, until its run ends. `node` can run any code.'
    expect(grant).toEqual({ id: given?.id, covers })
    const claims = JSON.parse(Buffer.from(signature?.split('.')[1] ?? '', 'base64url').toString())
    expect(claims).toMatchObject({ grant, answeredBy: 'ada', runId: 'run-1' })
    expect((await host.view('second')).grant).toEqual(grant)
    expect(await host.grants.list()).toMatchObject([
      {
        ...{ id: given?.id, covers, givenBy: 'ada', runId: 'run-1', place: host.sandbox.workdir },
        uses: { count: 1, latest: [{ toolCallId: 'second', runId: 'run-1' }] },
      },
    ])
    const ofGrant = host.decisions.filter(({ grant: id }) => id === given?.id)
    expect(ofGrant.map(({ action, toolCallId, outcome }) => [action, toolCallId, outcome])).toEqual([
      ['answer', 'first', 'OK'],
      ['answer', 'second', 'OK'],
    ])
  })

  it('answers what waits already', async () => {
    const host = await createTestHost()
    const waiting = host.ask('waiting', 'Bash', bash('node b.js'))
    await host.view('waiting')
    await begin(host, `${NODE}, for 10 minutes`)
    expect(decided(await waiting)).toBe('allowOnce')
  })

  it('lets no inbox show a call that it covers, so that nobody gets a notice of it', async () => {
    const host = await createTestHost()
    await begin(host, `${NODE}, until this run ends`)
    const sandboxes = [{ id: 'shop', name: 'The shop', sandbox: host.sandbox }]
    const inbox = createInbox({ sandboxes, grants: host.grants, onWarning: () => {} })
    const leaving = new AbortController()
    const shown: string[] = []
    const watching = (async () => {
      for await (const change of inbox.watch({ signal: leaving.signal }))
        if (change.kind === 'question') shown.push(`${change.question.toolCallId} ${change.question.state}`)
    })()
    for (const name of ['second', 'third'])
      expect(decided(await host.ask(name, 'Bash', bash(`node ${name}.js`)))).toBe('allowOnce')
    const other = host.ask('other', 'Bash', bash('ls'))
    await vi.waitFor(() => expect(shown).toEqual(['other open']))
    await host.answer(await host.view('other'), 'deny')
    await other
    leaving.abort()
    await watching
    expect(await host.grants.list()).toMatchObject([{ uses: { count: 2 } }])
  })

  it('does not answer another call, and the view says why it asks again', async () => {
    const host = await createTestHost()
    await begin(host, `${NODE}, until this run ends`)
    const why = 'The permission for every command that starts with `node` does not cover this: it has `&&`.'
    await asksAgain(host, 'second', 'node b.js && rm c', { why })
  })

  it('does not hold in another run, also one that gives itself the name of the first', async () => {
    const host = await createTestHost()
    await begin(host, `${NODE}, until this run ends`)
    const stop = new AbortController()
    const other = host.ask('other', 'Bash', bash('node b.js'), { runId: 'run-2', signal: stop.signal })
    expect(await stillWaits(host, 'other')).toBe(true)
    expect((await host.view('other')).asksAgain).toBe(
      'The permission for every command that starts with `node` was for another run.',
    )
    // The record on the disk says that the first run asks. Its runner knows better: the signature names that run.
    const path = join(host.sandbox.workdir, '.sandagent/questions/other.json')
    const record = await readFile(path, 'utf8')
    await writeFile(path, record.replace('"run-2"', '"run-1"'))
    await vi.waitFor(() => expect(host.forgeries()).toBe(1))
    stop.abort()
    expect((await other).kind).toBe('aborted')
  })

  it('holds in all runs of its folder until somebody takes it back', async () => {
    const host = await createTestHost()
    await begin(host, 'Every command that starts with `node a.js`, in this folder')
    const command = 'node a.js --again'
    expect(decided(await host.ask('second', 'Bash', bash(command), { runId: 'run-2' }))).toBe('allowOnce')
    const [{ id } = { id: '' }] = await given(host.folder)
    expect(await revokeGrant(host.folder, id, { by: 'grace' })).toMatchObject({
      ...{ id, ended: 'revoked', revokedBy: 'grace' },
    })
    const why =
      'The permission for every command that starts with `node a.js` was taken back by grace just now.'
    await asksAgain(host, 'third', command, { why, runId: 'run-2' })
    expect(await given(host.folder)).toMatchObject([{ id, ended: 'revoked', uses: { count: 1 } }])
  })

  it('ends after 10 minutes, and after a clock that went back', async () => {
    const clock = createFakeClock('2026-01-01T10:00:00Z')
    const host = await createTestHost({ clock })
    await begin(host, `${NODE}, for 10 minutes`)
    expect(decided(await host.ask('second', 'Bash', bash('node b.js')))).toBe('allowOnce')
    clock.advance(10 * 60_000)
    const why = 'The permission for every command that starts with `node` ended just now.'
    await asksAgain(host, 'third', 'node b.js', { why })
    const before = createFakeClock('2026-01-01T09:00:00Z')
    const [, first] = await listGrants(host.folder, { clock: before })
    expect(first).toMatchObject({ covers: expect.stringContaining('node'), ended: 'expired' })
  })

  it('is made once for the same request, and not again after it was taken back', async () => {
    const host = await createTestHost()
    const asked = host.ask('first', 'Bash', bash('node a.js'))
    const view = await host.view('first')
    const scope = view.scopes?.at(-1)?.id
    const send = async () => (await (await host.answer(view, 'allow-once', { scope })).json()) as StoredAnswer
    const first = await send()
    expect(decided(await asked)).toBe('allowOnce')
    expect(first).toMatchObject({ success: true, grant: { covers: expect.stringContaining('node a.js') } })
    expect(await send()).toEqual(first)
    await host.grants.revoke(first.grant?.id ?? '')
    expect((await send()).grant).toBeUndefined()
    expect(await host.grants.list()).toMatchObject([{ ended: 'revoked' }])
  })

  it('survives its host, and two hosts count each use once', async () => {
    const host = await createTestHost()
    await begin(host, `${NODE}, until this run ends`)
    await host.stop()
    const asked = host.ask('second', 'Bash', bash('node b.js'))
    await host.view('second')
    host.another()
    host.another()
    expect(decided(await asked)).toBe('allowOnce')
    await host.stop()
    expect(await listGrants(host.folder)).toMatchObject([{ uses: { count: 1 } }])
  })

  it('answers again after a kill between the note of a use and the answer, and counts it once', async () => {
    const host = await createTestHost()
    await begin(host, `${NODE}, until this run ends`)
    const [{ id } = { id: '' }] = await host.grants.list()
    await host.stop()
    const asked = host.ask('second', 'Bash', bash('node b.js'))
    await host.view('second')
    const path = join(host.sandbox.workdir, '.sandagent/questions/second.json')
    const { nonce } = JSON.parse(await readFile(path, 'utf8'))
    const use = { at: new Date().toISOString(), toolCallId: 'second', runId: 'run-1' }
    const line = JSON.stringify({ ...use, key: digestOf(['second', nonce]).slice(0, 16) })
    await writeFile(join(host.folder, `${id}.uses`), `${line}\n{"at":`)
    host.another()
    expect(decided(await asked)).toBe('allowOnce')
    expect(await listGrants(host.folder)).toMatchObject([{ uses: { count: 1 } }])
  })

  it('that is taken back while calls are on their way has allowed what it counts, and no other call', async () => {
    const host = await createTestHost()
    await begin(host, `${NODE}, until this run ends`)
    const [{ id } = { id: '' }] = await host.grants.list()
    const names = Array.from({ length: 12 }, (_, index) => `call-${index}`)
    const outcomes = names.map((name) => host.ask(name, 'Bash', bash(`node ${name}.js`)))
    await Promise.race(outcomes)
    await host.grants.revoke(id)
    expect(await stillWaits(host, 'call-11')).toBeTypeOf('boolean')
    const views = await Promise.all(names.map((name) => host.view(name)))
    const allowed = views.filter(({ state }) => state !== 'open')
    expect(allowed.every(({ grant }) => grant?.id === id)).toBe(true)
    expect(await given(host.folder)).toMatchObject([{ ended: 'revoked', uses: { count: allowed.length } }])
    await Promise.all(views.filter(({ state }) => state === 'open').map((view) => host.answer(view, 'deny')))
    await Promise.all(outcomes)
  })

  it('is swept a week after its end', async () => {
    const clock = createFakeClock()
    const host = await createTestHost({ clock })
    await begin(host, `${NODE}, for 10 minutes`)
    await host.ask('second', 'Bash', bash('node b.js'))
    expect(await readdir(host.folder)).toHaveLength(2)
    clock.advance(8 * 86_400_000)
    await vi.waitFor(async () => expect(await readdir(host.folder)).toEqual([]))
  })
})

describe('who can give a grant', () => {
  it('is nobody for a scope that is not offered, and nothing is stored then', async () => {
    const host = await createTestHost()
    const asked = host.ask('first', 'Bash', bash('sudo rm -rf x'))
    const view = await host.view('first')
    expect(view.scopes).toHaveLength(2)
    const other = await host.answer(view, 'allow-once', { scope: '0123456789abcdef' })
    expect(other.status).toBe(400)
    expect(await other.json()).toMatchObject({
      error: { code: 'INVALID_ANSWERS', faults: [{ path: 'scope' }] },
    })
    for (const more of [{ scope: view.scopes?.[0]?.id, status: undefined }, { scope: 'x'.repeat(9) }])
      expect((await host.answer(view, 'allow-once', more)).status).toBe(400)
    expect((await host.answer(view, 'deny', { scope: view.scopes?.[0]?.id })).status).toBe(400)
    expect((await host.view('first')).state).toBe('open')
    await host.answer(view, 'deny')
    await asked
    expect(await host.grants.list()).toEqual([])
  })

  it('is nobody where several people decide together, and no grant votes', async () => {
    const two = [{ people: ['ada', 'grace'], votes: 2 }]
    const host = await createTestHost({ policy: two })
    const asked = host.ask('first', 'Bash', bash('node a.js'))
    const view = await host.view('first')
    expect(view.scopes).toBeUndefined()
    await host.answer(view, 'deny')
    await asked
  })

  it('is who may answer, and a grant counts only as long as its giver may', async () => {
    const policy = [{ roles: ['lead'] }]
    const host = await createTestHost({ policy })
    await begin(host, `${NODE}, until this run ends`)
    await host.stop()
    host.another({ policy: [{ for: { tools: ['Bash'] }, roles: ['admin'] }, {}] })
    const asked = host.ask('second', 'Bash', bash('node b.js'))
    expect(await stillWaits(host, 'second')).toBe(true)
    await host.answer(await host.view('second'), 'deny')
    await asked
    const stranger = await createTestHost({ policy, authorize: () => ({ answeredBy: 'bob' }) })
    void stranger.ask('first', 'Bash', bash('node a.js'))
    expect((await stranger.view('first')).scopes).toBeUndefined()
  })
})

describe('the folder of grants', () => {
  it('spares a host that has none the look at all questions', async () => {
    const sandboxes = vi.fn(async () => [])
    const host = await createTestHost({ sandboxes })
    const asked = host.ask('first', 'Bash', bash('node a.js'))
    await host.answer(await host.view('first'), 'deny')
    await asked
    await host.stop()
    expect(sandboxes).not.toHaveBeenCalled()
  })

  it('is for its user alone', async () => {
    const host = await createTestHost()
    await begin(host, `${NODE}, until this run ends`)
    const [name = ''] = await readdir(host.folder)
    expect((await stat(host.folder)).mode & 0o777).toBe(0o700)
    expect((await stat(join(host.folder, name))).mode & 0o777).toBe(0o600)
  })

  it('is refused inside a workdir, whatever the agent writes there', async () => {
    const workdir = await tempDir()
    const folder = join(workdir, 'grants')
    await mkdir(folder, { mode: 0o700 })
    const grant = {
      ...{
        version: 1,
        id: '0123456789abcdef',
        place: workdir,
        givenAt: '2026-01-01T00:00:00Z',
        toolCallId: 'x',
      },
      reach: { kind: 'command', toolName: 'Bash', words: ['node'], settings: 'x' },
      span: { kind: 'folder' },
    }
    await writeFile(join(folder, `${grant.id}.json`), JSON.stringify(grant))
    const host = await createTestHost({ workdir, folder })
    const asked = host.ask('first', 'Bash', bash('node a.js'))
    const view = await host.view('first')
    expect(view.scopes).toBeUndefined()
    // One for the view, and one for the answer that the host might have given.
    await vi.waitFor(() => expect(host.warnings.length).toBeGreaterThan(1))
    expect(new Set(host.warnings)).toEqual(new Set([expect.stringContaining('is inside the workdir')]))
    expect((await host.view('first')).state).toBe('open')
    await host.answer(view, 'deny')
    await asked
  })

  it('is refused if others can write to it, and a damaged grant covers nothing', async () => {
    const open = await tempDir()
    await mkdir(join(open, 'grants'))
    await chmod(join(open, 'grants'), 0o777)
    await expect(listGrants(join(open, 'grants'))).rejects.toThrow('make it yours alone')
    const host = await createTestHost()
    await begin(host, `${NODE}, until this run ends`)
    const [name = ''] = await readdir(host.folder)
    const text = await readFile(join(host.folder, name), 'utf8')
    for (const damaged of [
      '',
      '{',
      text.replace('"words":["node"]', '"words":[]'),
      text.replace(/"id":"./, '"id":"x'),
    ]) {
      await writeFile(join(host.folder, name), damaged)
      expect(await listGrants(host.folder, { onWarning: () => {} })).toEqual([])
    }
  })
})
