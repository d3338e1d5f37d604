import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { questionRecordPath } from '@sandagent/files'
import {
  createSigningKey,
  declineQuestion,
  type LocalSandbox,
  listQuestions,
  parseSigningKeys,
  type SigningKeys,
  submitAnswer,
} from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import { asked, clientEnvironment, connect, recordOf, sandagent, tempSandbox } from '../support/mcp.ts'

const ASK = {
  questions: [
    {
      question: 'Which database?',
      options: [{ label: 'Postgres' }, { label: 'SQLite' }],
      defaultOption: 'Postgres',
    },
  ],
  blocking: false,
}

interface Place {
  sandbox: LocalSandbox
  signingKeys: SigningKeys | null
  env: Record<string, string>
}

/** Starts `sandagent mcp` in a process of its own. */
async function serve({ sandbox, env }: Place) {
  const args = [sandagent, 'mcp', '--workdir', sandbox.workdir, '--tickets']
  const program = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' })
  let warned = ''
  program.stderr?.on('data', (data) => (warned += data))
  const client = await connect(program)
  return { client, pid: program.pid as number, warned: () => warned }
}

async function call(client: Client, name: string, args: Record<string, unknown>) {
  const result = (await client.callTool({ name, arguments: args })) as CallToolResult
  return result.structuredContent as { kind: string; text: string; ticket: string }
}
const wait = (client: Client, ticket: string) => call(client, 'check_question', { ticket, action: 'wait' })

/** A question whose server was killed. */
async function left(place: Place): Promise<string> {
  const { client, pid } = await serve(place)
  const { ticket } = await call(client, 'ask_user_question', ASK)
  process.kill(pid, 'SIGKILL')
  await vi.waitFor(async () =>
    expect(await listQuestions(place.sandbox)).toMatchObject([{ comesBack: true, runEnded: true }]),
  )
  return ticket
}

const answer = ({ sandbox, signingKeys }: Place, toolCallId: string) =>
  submitAnswer(sandbox, { toolCallId, answers: { 'Which database?': 'SQLite' } }, { signingKeys })

describe.each(['unsigned', 'signed'])('a server of tickets that was killed, whose answers are %s', (how) => {
  async function begin(): Promise<Place> {
    const sandbox = await tempSandbox()
    if (how === 'unsigned') return { sandbox, signingKeys: null, env: clientEnvironment() }
    const signingKeys = await parseSigningKeys(await createSigningKey())
    const SANDAGENT_PUBLIC_KEYS = JSON.stringify(signingKeys.publicKeys)
    return { sandbox, signingKeys, env: { ...clientEnvironment(), SANDAGENT_PUBLIC_KEYS } }
  }

  it('takes what was answered while no server ran', async () => {
    const place = await begin()
    const ticket = await left(place)
    await answer(place, ticket)
    const { client, warned } = await serve(place)
    expect(await wait(client, ticket)).toMatchObject({
      kind: 'answered',
      answers: { 'Which database?': 'SQLite' },
    })
    expect(await listQuestions(place.sandbox)).toEqual([])
    expect(warned()).toBe('')
  })

  it('asks nothing twice, and takes what is answered later', async () => {
    const place = await begin()
    const ticket = await left(place)
    const { nonce } = await recordOf(place.sandbox, ticket)
    const { client } = await serve(place)
    expect(await call(client, 'check_question', { ticket })).toMatchObject({ kind: 'open', ticket })
    expect(await recordOf(place.sandbox, ticket)).toMatchObject({ nonce, state: 'open' })
    // Somebody who looks for it is there again.
    expect((await asked(place.sandbox)).runEnded).toBeUndefined()
    await answer(place, ticket)
    expect(await wait(client, ticket)).toMatchObject({ kind: 'answered' })
  })

  it('tells each later server what the first one was told', async () => {
    const place = await begin()
    const ticket = await left(place)
    await declineQuestion(
      place.sandbox,
      { toolCallId: ticket, reason: 'later' },
      { signingKeys: place.signingKeys },
    )
    const first = await serve(place)
    const { text } = await wait(first.client, ticket)
    expect(text).toContain('later')
    process.kill(first.pid, 'SIGKILL')
    const { client } = await serve(place)
    expect((await wait(client, ticket)).text).toBe(text)
  })
})

it('takes no answer that was signed for another question of the same ticket', async () => {
  const sandbox = await tempSandbox()
  const signingKeys = await parseSigningKeys(await createSigningKey())
  const SANDAGENT_PUBLIC_KEYS = JSON.stringify(signingKeys.publicKeys)
  const place = { sandbox, signingKeys, env: { ...clientEnvironment(), SANDAGENT_PUBLIC_KEYS } }
  const ticket = await left(place)
  await answer(place, ticket)
  // A program of the agent turns the question round.
  const path = questionRecordPath(ticket)
  const record = (await sandbox.files.read(path)) as string
  await sandbox.files.writeAtomic(path, record.replaceAll('Which database?', 'Shall all be deleted?'))
  const { client, warned } = await serve(place)
  expect(await call(client, 'check_question', { ticket })).toMatchObject({ kind: 'open' })
  await vi.waitFor(() => expect(warned()).toContain('ignored'))
})
