import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { type ClientHttp2Session, connect } from 'node:http2'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createFileRunnerChannel } from '@sandagent/files'
import { freePort, listen } from '@sandagent/fixtures/listen.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createMemoryFleet } from '@sandagent/fleet'
import { createRunnerHandler, createRunnerToken, fleetSandbox } from '@sandagent/fleet-host'
import { askUser } from '@sandagent/runner'
import {
  createAnswerHandler,
  createSigningKey,
  LocalSandbox,
  listQuestions,
  parseSigningKeys,
  submitAnswer,
  toNodeHandler,
} from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { findCommand } from '../../scripts/find-command.mjs'
import { root } from '../../scripts/run.mjs'
import { canMakeCertificates, makeCertificate } from '../support/servers/certificate.ts'

const recipe = (name: string): Promise<string> => readFile(join(root, 'examples/deploy', name), 'utf8')
const nginx = findCommand('nginx') ?? findCommand('../sbin/nginx')

/** Starts nginx with the recipe's server, in front of a host; resolves to a client that speaks HTTP/2. */
async function throughNginx(host: string): Promise<{ client: ClientHttp2Session; origin: string }> {
  const folder = await tempDir()
  const port = await freePort()
  const { cert, key } = await makeCertificate()
  const server = (await recipe('nginx.conf'))
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('http://127.0.0.1:8080', host)
    .replace('/etc/ssl/agents.pem', cert)
    .replace('/etc/ssl/agents.key', key)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const paths = temporary.map((name) => `${name}_temp_path ${join(folder, name)};`).join('\n')
  const config = `daemon off;\npid ${join(folder, 'pid')};\nevents {}\nhttp {\naccess_log off;\n${paths}\n${server}\n}\n`
  await writeFile(join(folder, 'nginx.conf'), config)
  const process = spawn(nginx ?? '', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'])
  const ended = once(process, 'close')
  onTestFinished(async () => {
    process.kill('SIGTERM')
    await ended
  })
  const origin = `https://127.0.0.1:${port}`
  const client = await vi.waitFor(async () => {
    const session = connect(origin, { rejectUnauthorized: false })
    await once(session, 'connect')
    return session
  })
  onTestFinished(() => client.destroy())
  return { client, origin }
}

describe.runIf(nginx && canMakeCertificates)('the recipe for nginx', () => {
  it('passes each event at once, and an answer of a browser without Sec-Fetch-Site', async () => {
    const workdir = await tempDir()
    const sandbox = new LocalSandbox({ workdir, isolation: 'none' })
    const host = await listen(toNodeHandler(createAnswerHandler({ sandbox, authorize: () => true })))
    const { client, origin } = await throughNginx(host)

    const asked = askUser(createFileRunnerChannel({ workdir }), {
      ...{ runId: 'run-1', toolCallId: 'call-1' },
      questions: [{ question: 'Where to?', options: [{ label: 'Staging' }] }],
    })
    await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
    const path = '/api/answer?toolCallId=call-1'
    const stream = client.request({ ':path': path, accept: 'text/event-stream' }).setEncoding('utf8')
    let events = ''
    stream.on('data', (event) => {
      events += event
    })
    await vi.waitFor(() => expect(events).toContain('"state":"open"'))

    const post = client.request(
      { ':path': '/api/answer', ':method': 'POST', 'content-type': 'application/json', origin },
      { endStream: false },
    )
    post.end(JSON.stringify({ toolCallId: 'call-1', answers: { 'Where to?': 'Staging' } }))
    expect(JSON.parse(await text(post))).toMatchObject({ success: true })
    expect(await asked).toMatchObject({ kind: 'answered' })
    await vi.waitFor(() => expect(events).toContain('"state":"answered"'))
  })
})

describe.runIf(findCommand('systemd-analyze'))('the recipe for systemd', () => {
  it('is a unit that systemd accepts', async () => {
    const folder = await tempDir()
    const unit = join(folder, 'agents.service')
    await writeFile(unit, (await recipe('agents.service')).replace('/usr/bin/node', process.execPath))
    expect(execFileSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })).toBe('')
  })
})

describe('the recipe for the image of an agent', () => {
  it('starts a command that asks a host over HTTP, and goes on with a signed answer', async () => {
    const image = await recipe('Dockerfile')
    const [program = '', ...args] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(image)?.[1] ?? '[]')
    expect(image).toContain('npm install sandagent @sandagent/runner')
    expect(program).toBe('/opt/agent/node_modules/.bin/sandagent')

    const signingKeys = await parseSigningKeys(await createSigningKey())
    const fleet = createMemoryFleet()
    const url = await listen(toNodeHandler(createRunnerHandler({ fleet, signingKeys })))
    const child = spawn(
      join(root, 'node_modules/.bin/sandagent'),
      [...args, '--run-id', 'run-7', 'node', join(root, 'examples/start/express/workspace/agent.mjs')],
      {
        cwd: await tempDir(),
        env: {
          ...process.env,
          SANDAGENT_CHANNEL_URL: url,
          SANDAGENT_CHANNEL_TOKEN: await createRunnerToken(
            { namespace: 'run-7', runId: 'run-7' },
            { signingKeys },
          ),
          SANDAGENT_PUBLIC_KEYS: JSON.stringify(signingKeys.publicKeys),
        },
      },
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    const printed = text(child.stdout)
    const sandbox = fleetSandbox(fleet, 'run-7')
    const [question] = await vi.waitFor(async () => {
      const questions = await listQuestions(sandbox, { signingKeys })
      expect(questions).toHaveLength(1)
      return questions
    })
    const toolCallId = question?.toolCallId ?? ''
    await submitAnswer(sandbox, { toolCallId, answers: { 'Where to?': 'Staging' } }, { signingKeys })
    expect(await printed).toContain('I deploy to Staging.')
  })
})
