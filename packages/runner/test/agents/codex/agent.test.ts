import { chmod, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { type AskedQuestion, questionDigestOf, secretIdOf } from '@sandagent/core/internal'
import { sealSecret } from '@sandagent/core/secret'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createCodexAgent } from '../../../src/codex.ts'
import { type AgentRun, takeSecret } from '../../../src/index.ts'
import { createRun } from '../../agent-run.ts'
import { picked } from '../../workspace.ts'

const ASK = {
  threadId: 't',
  turnId: 'u',
  itemId: 'call',
  questions: [{ id: 'q', header: '', question: 'Which?', options: [{ label: 'A', description: '' }] }],
}
const COMMAND = { threadId: 't', turnId: 'u', itemId: 'call', command: 'rm -r x', cwd: '/' }

/** The app server of a Codex that is wrong or hostile: what it does in its turn, in JavaScript. */
async function startHostile(turn: string, run: Partial<AgentRun> = {}) {
  const folder = await tempDir()
  const program = join(folder, 'codex')
  const replies = join(folder, 'replies.jsonl')
  const steers = join(folder, 'steers.jsonl')
  const go = join(folder, 'go')
  const script = `#!${process.execPath}
    const { appendFileSync, existsSync } = require('node:fs')
    const write = (text) => process.stdout.write(text + '\\n')
    const send = (message) => write(JSON.stringify(message))
    const done = (status = 'completed', error = null) =>
      send({ method: 'turn/completed', params: { threadId: 't', turn: { id: 'u', status, error } } })
    const RESULTS = {
      initialize: {},
      'thread/start': { thread: { id: 't' } },
      'turn/start': { turn: { id: 'u', status: 'inProgress' } },
      'turn/steer': {},
    }
    /** Does it once the test says so. */
    const later = (act) => setInterval(() => existsSync(${JSON.stringify(go)}) && act(), 20)
    let replied = 0
    let onReply = () => {}
    const turn = () => { ${turn} }
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const message = JSON.parse(line)
      if (message.method) {
        if (message.id) send({ id: message.id, result: RESULTS[message.method] })
        if (message.method === 'turn/start') turn()
        if (message.method === 'turn/steer') appendFileSync(${JSON.stringify(steers)}, line + '\\n')
      } else {
        appendFileSync(${JSON.stringify(replies)}, line + '\\n')
        onReply(++replied)
      }
    })
  `
  await writeFile(program, script)
  await chmod(program, 0o755)
  vi.stubEnv('PATH', [folder, process.env.PATH].join(delimiter))
  onTestFinished(() => void vi.unstubAllEnvs())
  const warnings: string[] = []
  const created = await createRun({ onWarning: ({ message }) => warnings.push(message), ...run })
  return {
    ...created,
    warnings,
    go: () => writeFile(go, ''),
    done: createCodexAgent()(created.run),
    replies: () => linesIn(replies),
    /** What its models were told in their turns. */
    steers: () => linesIn(steers),
  }
}

const linesIn = async (path: string) =>
  (await readFile(path, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const request = (id: unknown, method: string, params: object): string =>
  `send(${JSON.stringify({ id, method, params })});`
const untilReplies = (count: number): string => `onReply = (n) => n === ${count} && done();`

describe('createCodexAgent with an app server that', () => {
  it('writes what is no message goes on, and the operator is warned', async () => {
    const { done, warnings } = await startHostile(
      `write('hello'); write('[1]'); write('{"id":'); write(''); send({ id: 99, result: {} }); send({}); done()`,
    )
    await done
    expect(warnings).toHaveLength(4)
    expect(warnings[0]).toContain('Codex wrote a line that is no message: hello')
  })

  it('gives two requests the same ids asks both', async () => {
    const asks = request(7, 'item/tool/requestUserInput', ASK).repeat(2)
    const { done, space, replies } = await startHostile(asks + untilReplies(2))
    for (const toolCallId of ['u-call', 'u-call-2']) {
      await vi.waitFor(() => space.record(toolCallId))
      await space.respond(toolCallId, { q: picked('A') })
    }
    await done
    const reply = { id: 7, result: { answers: { q: { answers: ['A'] } } } }
    expect(await replies()).toEqual([reply, reply])
  })

  it('asks for the same command again does not get the permission of before', async () => {
    const ask = request(1, 'item/commandExecution/requestApproval', COMMAND)
    const { done, space, replies } = await startHostile(
      `${ask} onReply = (n) => { if (n === 1) { ${ask} } else done() }`,
    )
    await vi.waitFor(() => space.record('u-call'))
    await space.respond('u-call', { permission: picked('allow-once') })
    await vi.waitFor(() => space.record('u-call-2'))
    await space.respond('u-call-2', { permission: picked('deny') })
    await done
    expect((await replies()).map(({ result }) => result.decision)).toEqual(['accept', 'decline'])
  })

  it('asks for a subagent tells the note to that subagent', async () => {
    const params = { ...COMMAND, threadId: 'sub', turnId: 'turn of sub' }
    const ask = request(1, 'item/commandExecution/requestApproval', params)
    const { done, space, steers } = await startHostile(ask + untilReplies(1))
    await vi.waitFor(() => space.record('turn of sub-call'))
    await space.respond('turn of sub-call', { permission: { ...picked('deny'), notes: 'too risky' } })
    await done
    const [{ params: told }] = await steers()
    expect(told).toMatchObject({ threadId: 'sub', expectedTurnId: 'turn of sub' })
    expect(JSON.stringify(told.input)).toContain('too risky')
  })

  it('is killed while a question waits fails, and the question is withdrawn', async () => {
    const ask = request(1, 'item/tool/requestUserInput', ASK)
    const { done, space, go } = await startHostile(`${ask} later(() => process.exit(9))`)
    done.catch(() => {}) // It is awaited below.
    await vi.waitFor(() => space.record('u-call'))
    await go()
    await expect(done).rejects.toThrow('Codex ended early (9)')
    await vi.waitFor(async () => expect(await space.record('u-call')).toMatchObject({ state: 'aborted' }))
  })

  it('dies while a child holds its output fails soon', async () => {
    const child = `const child = require('node:child_process').spawn('sleep', ['60'], { stdio: 'inherit' })`
    const { done, replies } = await startHostile(
      `${child}; require('node:fs').writeFileSync(process.argv[1] + '.pid', String(child.pid)); setImmediate(() => process.exit(9))`,
    )
    await expect(done).rejects.toThrow('Codex ended early (9)')
    await expect(replies()).rejects.toThrow('ENOENT')
    const [folder] = (process.env.PATH as string).split(delimiter)
    process.kill(Number(await readFile(join(folder as string, 'codex.pid'), 'utf8')))
  })

  it('runs a command when the run is stopped leaves no call open', async () => {
    const stop = new AbortController()
    const item = { type: 'commandExecution', id: 'i', status: 'inProgress', command: 'sleep 60', cwd: '/' }
    const params = { threadId: 't', turnId: 'u', item }
    const { done, chunks } = await startHostile(
      `send(${JSON.stringify({ method: 'item/started', params })})`,
      { signal: stop.signal },
    )
    await vi.waitFor(() => expect(chunks()).toContainEqual(expect.objectContaining({ toolCallId: 'u-i' })))
    stop.abort()
    await done
    expect(chunks().filter(({ type }) => type.startsWith('tool-output'))).toMatchObject([
      { type: 'tool-output-error', toolCallId: 'u-i' },
    ])
  })

  it('asks for a command, is denied and says that it was declined ends the call once', async () => {
    const item = { type: 'commandExecution', id: 'call', status: 'declined', command: 'rm -r x', cwd: '/' }
    const event = (method: string) =>
      `send(${JSON.stringify({ method, params: { threadId: 't', turnId: 'u', item } })});`
    const ask = request(1, 'item/commandExecution/requestApproval', COMMAND)
    const { done, space, chunks } = await startHostile(
      `${ask} onReply = () => { ${event('item/completed')} ${event('item/completed')} done() }`,
    )
    await vi.waitFor(() => space.record('u-call'))
    await space.respond('u-call', { permission: picked('deny') })
    await done
    expect(chunks().filter(({ type }) => type.startsWith('tool-output'))).toHaveLength(1)
  })

  it('asks for what cannot be shown is refused, and the operator is warned', async () => {
    const params = { threadId: 't', serverName: 's', mode: 'form', message: 'x', requestedSchema: 3 }
    const asks = request(1, 'mcpServer/elicitation/request', params) + request(2, 'unheard/of', {})
    const { done, warnings } = await startHostile(asks + untilReplies(2))
    await done
    expect(warnings).toHaveLength(2)
    expect(warnings.join()).toMatch(/The agent could not ask.*requestedSchema/)
    expect(warnings.join()).toContain('unheard/of cannot be asked here')
  })

  it('wants a secret gets to know how to use it, and never what it is', async () => {
    const questions = ASK.questions.map((question) => ({ ...question, isSecret: true }))
    const ask = request(1, 'item/tool/requestUserInput', { ...ASK, questions })
    const { done, replies, space } = await startHostile(ask + untilReplies(1))
    const record = await vi.waitFor(() => space.record('u-call'))
    const [question] = record.questions as [AskedQuestion & { secret: { publicKey: string } }]
    const questionDigest = questionDigestOf(record)
    const place = { toolCallId: 'u-call', questionId: question.id, questionDigest }
    const sealed = await sealSecret('hunter2', question.secret.publicKey, place)
    await space.respond(
      'u-call',
      { [question.id]: { selected: [], sealed, source: 'human' } },
      { questionDigest },
    )
    await done
    const [{ result }] = await replies()
    const [said = ''] = result.answers[question.id].answers
    expect(said).toContain(`npx sandagent secret ${secretIdOf(question)} -- COMMAND`)
    expect(JSON.stringify(await replies())).not.toContain('hunter2')
    expect(await takeSecret(secretIdOf(question) as string)).toBe('hunter2')
  })

  it.each(['openai/form', 'openaiForm', 'openai/userVerification'])(
    'asks by %s gets "cancel", which is nobody’s decision',
    async (mode) => {
      const ask = request(1, 'mcpServer/elicitation/request', { threadId: 't', serverName: 's', mode })
      const { done, replies, warnings } = await startHostile(ask + untilReplies(1))
      await done
      expect(await replies()).toMatchObject([{ result: { action: 'cancel' } }])
      expect(warnings[0]).toContain('which cannot be shown here')
    },
  )

  it.each([
    ['item/fileChange/requestApproval', { threadId: 't', turnId: 'u', itemId: 'unseen' }],
    ['item/commandExecution/requestApproval', { itemId: 5 }],
    [
      'mcpServer/elicitation/request',
      { serverName: 's', _meta: { codex_approval_kind: 'other' }, message: '' },
    ],
    ['mcpServer/elicitation/request', { serverName: 's', mode: 'form', message: 'x', requestedSchema: 3 }],
    ['item/permissions/requestApproval', {}],
    ['execCommandApproval', {}],
    ['item/tool/requestUserInput', null],
  ])('asks by %s for what nobody can see gets an error', async (method, params) => {
    const { done, replies } = await startHostile(request('r', method, params as object) + untilReplies(1))
    await done
    expect(await replies()).toMatchObject([{ id: 'r', error: { message: expect.any(String) } }])
  })

  it('fails for want of a login fails with what to do', async () => {
    const { done } = await startHostile(`done('failed', { message: '401 Unauthorized' })`)
    await expect(done).rejects.toThrow('401 Unauthorized (Codex needs a login: codex login)')
  })

  it('ends its turn while it still asks ends the run, and the question is withdrawn', async () => {
    const ask = request(1, 'item/tool/requestUserInput', ASK)
    const { done, space, go } = await startHostile(`${ask} later(done)`)
    await vi.waitFor(() => space.record('u-call'))
    await go()
    await done
    await vi.waitFor(async () => expect(await space.record('u-call')).toMatchObject({ state: 'aborted' }))
  })
})

describe('createCodexAgent', () => {
  it('says how to install Codex where it is missing', async () => {
    vi.stubEnv('PATH', await tempDir())
    onTestFinished(() => void vi.unstubAllEnvs())
    const { run } = await createRun()
    await expect(createCodexAgent()(run)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('npm install -g @openai/codex'),
    })
  })

  it('says which file may not be executed', async () => {
    const folder = await tempDir()
    await writeFile(join(folder, 'codex'), '#!/bin/sh', { mode: 0o644 })
    vi.stubEnv('PATH', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    const { run } = await createRun()
    await expect(createCodexAgent()(run)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: `codex cannot be started: it may not be executed. Allow it: chmod +x ${join(folder, 'codex')}`,
    })
  })

  it('refuses unknown options', () => {
    expect(() => createCodexAgent({ modell: 'x' } as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST' }),
    )
  })
})
