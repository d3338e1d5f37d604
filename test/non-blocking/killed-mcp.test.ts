import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { questionRecordPath } from '@sandagent/files'
import { declineQuestion, listQuestions } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import { asked, clientEnvironment, connect, recordOf, sandagent, tempSandbox } from '../support/mcp.ts'
import { answerDatabase, ask, check, newKeys } from '../support/tickets.ts'

/** A folder, and the keys of its host. */
async function begin(isSigned: boolean) {
  const signingKeys = await newKeys(isSigned)
  const keys = signingKeys && { SANDAGENT_PUBLIC_KEYS: JSON.stringify(signingKeys.publicKeys) }
  return { sandbox: await tempSandbox(), signingKeys, env: { ...clientEnvironment(), ...keys } }
}

type Place = Awaited<ReturnType<typeof begin>>

/** Starts `sandagent mcp` in a process of its own. */
async function serve({ sandbox, env }: Place) {
  const args = [sandagent, 'mcp', '--workdir', sandbox.workdir, '--tickets']
  const program = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' })
  let warned = ''
  program.stderr?.on('data', (data) => (warned += data))
  const client = await connect(program)
  return { client, pid: program.pid as number, warned: () => warned }
}

/** A question whose server was killed. */
async function left(place: Place): Promise<string> {
  const { client, pid } = await serve(place)
  const { ticket } = await ask(client)
  process.kill(pid, 'SIGKILL')
  await vi.waitFor(async () =>
    expect(await listQuestions(place.sandbox)).toMatchObject([{ comesBack: true, runEnded: true }]),
  )
  return ticket
}

const answer = ({ sandbox, signingKeys }: Place, toolCallId: string) =>
  answerDatabase(sandbox, toolCallId, 'SQLite', signingKeys)

describe.each([
  { how: 'unsigned', isSigned: false },
  { how: 'signed', isSigned: true },
])('a server of tickets that was killed, whose answers are $how', ({ isSigned }) => {
  it('takes what was answered while no server ran', async () => {
    const place = await begin(isSigned)
    const ticket = await left(place)
    await answer(place, ticket)
    const { client, warned } = await serve(place)
    expect(await check(client, ticket, 'wait')).toMatchObject({
      kind: 'answered',
      answers: { 'Which database?': 'SQLite' },
    })
    expect(await listQuestions(place.sandbox)).toEqual([])
    expect(warned()).toBe('')
  })

  it('asks nothing twice, and takes what is answered later', async () => {
    const place = await begin(isSigned)
    const ticket = await left(place)
    const { nonce } = await recordOf(place.sandbox, ticket)
    const { client } = await serve(place)
    expect(await check(client, ticket)).toMatchObject({ kind: 'open', ticket })
    expect(await recordOf(place.sandbox, ticket)).toMatchObject({ nonce, state: 'open' })
    // Somebody who looks for it is there again.
    expect((await asked(place.sandbox)).runEnded).toBeUndefined()
    await answer(place, ticket)
    expect(await check(client, ticket, 'wait')).toMatchObject({ kind: 'answered' })
  })

  it('tells each later server what the first one was told', async () => {
    const place = await begin(isSigned)
    const ticket = await left(place)
    await declineQuestion(
      place.sandbox,
      { toolCallId: ticket, reason: 'later' },
      { signingKeys: place.signingKeys },
    )
    const first = await serve(place)
    const { text } = await check(first.client, ticket, 'wait')
    expect(text).toContain('later')
    process.kill(first.pid, 'SIGKILL')
    const { client } = await serve(place)
    expect((await check(client, ticket, 'wait')).text).toBe(text)
  })
})

it('takes no answer that was signed for another question of the same ticket', async () => {
  const place = await begin(true)
  const { sandbox } = place
  const ticket = await left(place)
  await answer(place, ticket)
  // A program of the agent turns the question round.
  const path = questionRecordPath(ticket)
  const record = (await sandbox.files.read(path)) as string
  await sandbox.files.writeAtomic(path, record.replaceAll('Which database?', 'Shall all be deleted?'))
  const { client, warned } = await serve(place)
  expect(await check(client, ticket)).toMatchObject({ kind: 'open' })
  await vi.waitFor(() => expect(warned()).toContain('ignored'))
})
