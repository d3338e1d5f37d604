import { createAccount, createOperator, encodeAccount, encodeOperator } from '@nats-io/jwt'
import {
  connect,
  createInbox,
  credsAuthenticator,
  headers,
  type NatsConnection,
} from '@nats-io/transport-node'
import { FILE_ROOM } from '@sandagent/core/internal'
import { hasNatsServer, natsServer } from '@sandagent/fixtures/servers/nats-server.ts'
import type { FleetStore } from '@sandagent/fleet'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  createNatsFleet,
  createNatsQuestions,
  natsAccounts,
  natsBoundary,
  type RunnerAccess,
  runnerAccess,
  runnerCredentials,
} from '../src/index.ts'

const SECRET = 'a secret of at least 32 characters'
const FACTS = { runId: 'run-1', askedAt: '2026-01-01T00:00:00.000Z', isSettled: false }
const MINE = runnerAccess({ namespace: 'mine', secret: SECRET })
const OTHER = runnerAccess({ namespace: 'other', secret: SECRET })

it.each(['', 'short', undefined])('the secret %j gives no runner access', (secret) => {
  expect(() => runnerAccess({ namespace: 'mine', secret: secret as string })).toThrow(
    expect.objectContaining({ code: 'INVALID_REQUEST' }),
  )
})

/** How each party logs in: by a password, or by a user's JWT. */
interface Logins {
  config: string
  host: { user: string; password: string } | { credentials: string }
  runner: { user: string; password: string } | { credentials: string }
}

function passwords(): Logins {
  const host = { user: 'host', password: 'of the host' }
  const runner = { user: 'runner', password: 'of the runner' }
  return { config: natsAccounts({ hosts: [host], runners: [{ ...runner, access: MINE }] }), host, runner }
}

async function tokens(): Promise<Logins> {
  const [operator, hosts, hostsKey, runners, runnersKey, system] = [
    createOperator(),
    ...Array.from({ length: 5 }, createAccount),
  ] as const
  const seedOf = (key = createAccount()) => new TextDecoder().decode(key.getSeed())
  const account = hosts?.getPublicKey() ?? ''
  const { services, streams } = natsBoundary()
  const crossing = [
    ...services.map((subject) => ({ name: subject, subject, type: 'service' as const })),
    ...streams.map((subject) => ({ name: subject, subject, type: 'stream' as const })),
  ]
  const unlimited = {
    subs: -1,
    data: -1,
    payload: -1,
    imports: -1,
    exports: -1,
    wildcards: true,
    conn: -1,
    leaf: -1,
  }
  const limits = { ...unlimited, mem_storage: 0, disk_storage: 0, streams: 0, consumer: 0 }
  const accountToken = (name: string, key: typeof hosts, signer: typeof hosts, more: object) =>
    encodeAccount(
      name,
      key ?? '',
      { signing_keys: [signer?.getPublicKey() ?? ''], limits, ...more },
      { signer: operator },
    )
  const preload: Record<string, string> = {
    [account]: await accountToken('hosts', hosts, hostsKey, {
      exports: crossing,
      limits: { ...limits, mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 },
    }),
    [runners?.getPublicKey() ?? '']: await accountToken('runners', runners, runnersKey, {
      imports: crossing.map((entry) => ({ ...entry, account, local_subject: entry.subject })),
    }),
  }
  preload[system?.getPublicKey() ?? ''] = await accountToken('system', system, hostsKey, {})
  const all = { ...MINE, permissions: { publish: ['>'], subscribe: ['>'] } }
  const login = (access: RunnerAccess, key: typeof hosts, signer: typeof hosts) =>
    runnerCredentials({
      access,
      account: key?.getPublicKey() ?? '',
      signingKey: seedOf(signer),
      lifetimeMs: 60_000,
    })
  return {
    config: `operator: ${await encodeOperator('operator', operator)}\nsystem_account: ${system?.getPublicKey()}\nresolver: MEMORY\nresolver_preload: ${JSON.stringify(preload)}`,
    host: { credentials: await login(all, hosts, hostsKey) },
    runner: { credentials: await login(MINE, runners, runnersKey) },
  }
}

/** A fleet with an answer in each of two namespaces, and the bare connection of the runner of one. */
async function attacked({ config, host, runner }: Logins) {
  const server = await natsServer({ config })
  const warnings: unknown[] = []
  const onWarning = (warning: unknown) => void warnings.push(warning)
  const fleet = createNatsFleet({ servers: server.url, secret: SECRET, onWarning, ...host })
  onTestFinished(() => fleet.close())
  for (const { namespace } of [MINE, OTHER])
    await fleet.questions(namespace).writeAnswer('t1', `answer in ${namespace}`, { expected: null })
  const { namespace, pass, inboxPrefix } = MINE
  const questions = createNatsQuestions({ servers: server.url, namespace, pass, inboxPrefix, ...runner })
  onTestFinished(() => questions.close())
  const connected = async (login: Logins['host'], more: { inboxPrefix?: string }) => {
    const made = await connect({
      servers: server.url,
      ...more,
      ...('user' in login
        ? { user: login.user, pass: login.password }
        : { authenticator: credsAuthenticator(new TextEncoder().encode(login.credentials)) }),
    })
    onTestFinished(() => made.close())
    return made
  }
  const connection = await connected(runner, { inboxPrefix })
  return { server, fleet, questions, connection, warnings, asHost: () => connected(host, {}) }
}

/** The server's refusals, as they come. */
function refusals(connection: NatsConnection): string[] {
  const found: string[] = []
  void (async () => {
    for await (const status of connection.status())
      if (status.type === 'error') found.push(status.error.message.toLowerCase())
  })()
  return found
}

const everything = async (fleet: FleetStore) =>
  Promise.all(
    [MINE, OTHER].map(({ namespace }) =>
      fleet
        .questions(namespace)
        .list()
        .then(() => fleet.questions(namespace).read(['t1', 't2'])),
    ),
  )

const subject = ({ namespace, pass }: RunnerAccess, rest: string): string =>
  `$KV.sandagent.${namespace}.${pass}.${rest}`

describe.runIf(hasNatsServer).each([
  ['a password', async () => passwords()],
  ['a token', tokens],
])('a runner with %s', (_, logins) => {
  it('asks, and reads its own answer', async () => {
    const { fleet, questions } = await attacked(await logins())
    const asked = await questions.writeRecord('t1', 'record', { expected: null, facts: FACTS })
    expect(asked).toMatchObject({ record: { text: 'record' }, answer: { text: 'answer in mine' } })
    expect(await fleet.questions('mine').read(['t1'])).toEqual([asked])
    const stop = new AbortController()
    for await (const list of questions.subscribe(stop.signal)) {
      if (list[0]?.answer?.text === 'second') stop.abort()
      else
        await fleet
          .questions('mine')
          .writeAnswer('t1', 'second', { expected: asked?.answer?.version ?? null })
    }
  })

  it('may publish nothing but its own records, and subscribe to nothing but what is sent to it', async () => {
    const { fleet, connection } = await attacked(await logins())
    const before = await everything(fleet)
    const refused = refusals(connection)
    const forbidden = [
      ...['a.idDE', 'q.idDE', 'b'].map((rest) => subject(OTHER, rest)),
      subject(MINE, 'a.idDE'),
      subject({ ...MINE, pass: 'open' }, 'q.idDE'),
      `sandagent.sandagent.watch.other.${OTHER.pass}`,
      `sandagent.sandagent.files.other.${OTHER.pass}`,
      'sandagent_files.any',
      '$JS.API.STREAM.MSG.GET.sandagent_files',
      ...[
        'STREAM.PURGE',
        'STREAM.DELETE',
        'STREAM.INFO',
        'STREAM.UPDATE',
        'STREAM.MSG.GET',
        'STREAM.MSG.DELETE',
        'DIRECT.GET',
      ].map((call) => `$JS.API.${call}.KV_sandagent`),
      ...[
        'INFO',
        'STREAM.NAMES',
        'STREAM.LIST',
        'STREAM.CREATE.mine',
        'CONSUMER.NAMES.KV_sandagent',
        'CONSUMER.CREATE.KV_sandagent',
      ].map((call) => `$JS.API.${call}`),
      `$JS.API.CONSUMER.CREATE.KV_sandagent.x.${subject(MINE, '>')}`,
      `$JS.API.DIRECT.GET.KV_sandagent.${subject(OTHER, 'a.idDE')}`,
      '$KV.sandagent_runs.ix',
      '$KV.sandagent.b',
      '$SYS.REQ.SERVER.PING',
      createInbox(OTHER.inboxPrefix),
    ]
    for (const name of forbidden) connection.publish(name, '{}')
    const unread = [
      '>',
      '_INBOX.>',
      `${OTHER.inboxPrefix}.>`,
      '$KV.>',
      subject(OTHER, '>'),
      subject(MINE, '>'),
      `sandagent.sandagent.live.other.${OTHER.pass}.*`,
      'sandagent.>',
      '$SYS.>',
      '$JS.>',
    ]
    for (const name of unread) connection.subscribe(name, { callback: () => {} })
    await connection.flush()
    await expect.poll(() => refused.length).toBe(forbidden.length + unread.length)
    for (const name of [...forbidden, ...unread])
      expect(
        refused.some((line) => line.includes(`"${name.toLowerCase()}"`)),
        name,
      ).toBe(true)
    expect(await everything(fleet)).toEqual(before)
  })

  it('reads the files of its own namespace by a host, and stores none', async () => {
    const { fleet, questions, connection } = await attacked(await logins())
    const name = 'a'.repeat(64)
    for (const { namespace } of [MINE, OTHER])
      await fleet.questions(namespace).writeFile?.(
        't1',
        (async function* () {
          yield Buffer.from(`file in ${namespace}`)
        })(),
        () => name,
        FILE_ROOM,
      )
    const piece = await questions.readFile?.('t1', name, 5)
    expect([piece?.size, `${Buffer.from(piece?.bytes ?? [])}`]).toEqual([12, 'in mine'])
    expect(await questions.readFile?.('t2', name, 0)).toBeNull()
    expect(await questions.readFile?.('t1', '>', 0)).toBeNull()
    expect(questions).not.toHaveProperty('writeFile')
    const own = `sandagent.sandagent.files.mine.${MINE.pass}`
    for (const asked of ['', 'no JSON', '{}', '[]', 'null', '{"toolCallId":"t1","name":"a","offset":-1}']) {
      const reply = await connection.request(own, asked, { timeout: 30_000 })
      expect([reply.data.length, reply.headers?.get('Sandagent-Refused')]).toEqual([0, 'true'])
    }
  })

  it('is told that a file cannot be read now, and its host tells why', async () => {
    const { questions, warnings, asHost } = await attacked(await logins())
    const removed = await (await asHost()).request('$JS.API.STREAM.DELETE.sandagent_files', '', {
      timeout: 30_000,
    })
    expect(removed.json()).toMatchObject({ success: true })
    await expect(questions.readFile?.('t1', 'a'.repeat(64), 0)).rejects.toMatchObject({ code: 'UNREACHABLE' })
    const message = expect.stringContaining('The files of answers cannot be reached')
    expect(warnings).toMatchObject([{ code: 'UNREACHABLE', message }])
  })

  it('gets each piece of very many, also of several that it asks for at once', async () => {
    const { fleet, questions } = await attacked(await logins())
    const name = 'a'.repeat(64)
    const bytes = Buffer.from('the bytes of a person')
    await fleet.questions(MINE.namespace).writeFile?.(
      't1',
      (async function* () {
        yield bytes
      })(),
      () => name,
      FILE_ROOM,
    )
    let asked = 0
    const readOn = async (): Promise<void> => {
      while (asked < 1_500) {
        const at = asked++ % bytes.length
        expect((await questions.readFile?.('t1', name, at))?.bytes[0]).toBe(bytes[at])
      }
    }
    await Promise.all(Array.from({ length: 8 }, readOn))
  })

  it('that asks for more pieces at once than an answer has files is told to come again, and others are not', async () => {
    const { fleet, questions, connection } = await attacked(await logins())
    const name = 'a'.repeat(64)
    const asked = JSON.stringify({ toolCallId: 't1', name, offset: 0 })
    const own = `sandagent.sandagent.files.mine.${MINE.pass}`
    const replies = await Promise.all(
      Array.from({ length: 500 }, () => connection.request(own, asked, { timeout: 30_000 })),
    )
    expect(replies.filter(({ headers }) => headers?.has('Sandagent-Refused')).length).toBeGreaterThan(0)
    expect(await questions.readFile?.('t1', name, 0)).toBeNull()
    expect(await fleet.questions(OTHER.namespace).readFile?.('t1', name, 0)).toBeNull()
  })

  it('cannot make the server write elsewhere by the place for a reply', async () => {
    const { fleet, connection } = await attacked(await logins())
    const before = await everything(fleet)
    for (const reply of [
      ...['a.idDE', 'q.idDE', 'a.idDI'].map((rest) => subject(OTHER, rest)),
      subject(MINE, 'a.idDE'),
      ...['PURGE', 'DELETE', 'UPDATE'].map((call) => `$JS.API.STREAM.${call}.KV_sandagent`),
    ]) {
      for (const rest of ['q.ix', 'b']) connection.publish(subject(MINE, rest), '', { reply })
      const asked = JSON.stringify({ toolCallId: 't1', name: 'a'.repeat(64), offset: 0 })
      connection.publish(`sandagent.sandagent.files.mine.${MINE.pass}`, asked, { reply })
    }
    await connection.flush()
    const response = await connection.request(subject(MINE, 'q.ix'), '', { timeout: 30_000 })
    expect(response.json()).toMatchObject({ stream: 'KV_sandagent' })
    expect(await everything(fleet)).toEqual(before)
  })

  it('cannot empty the bucket by a header', async () => {
    const { fleet, connection } = await attacked(await logins())
    const before = await everything(fleet)
    for (const value of ['all', 'sub']) {
      const header = headers()
      header.set('Nats-Rollup', value)
      const response = await connection.request(subject(MINE, 'q.ix'), 'x', {
        headers: header,
        timeout: 30_000,
      })
      expect(response.json()).toMatchObject({ error: { err_code: 10111 } })
    }
    expect(await everything(fleet)).toEqual(before)
  })
})
