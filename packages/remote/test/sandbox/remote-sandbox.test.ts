import { realpathSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { LocalSandbox } from '@sandagent/sdk'
import { sandboxContract } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { serveRelay } from '../../src/relay/serve-relay.ts'
import { RemoteSandbox, type RemoteSandboxOptions } from '../../src/sandbox/remote-sandbox.ts'
import { relayPair } from '../support/relay-pair.ts'

/** A sandbox behind a relay in this process. */
function behindRelay(workdir: string): RemoteSandbox {
  const sandbox = new LocalSandbox({ workdir, isolation: 'none', onIsolation: () => {} })
  const connect = () => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()]
    const closed = serveRelay({ sandbox, input: stdin, output: stdout, version: '1' }).then(() => undefined)
    return { stdin, stdout, closed }
  }
  return new RemoteSandbox({ name: workdir, workdir, relay: ['relay'], connect })
}

const removeFolder = ({ workdir }: RemoteSandbox): Promise<void> =>
  rm(workdir, { recursive: true, force: true, maxRetries: 5 })

const cases = sandboxContract(
  async () => behindRelay(await mkdtemp(join(realpathSync(tmpdir()), 'sandagent-test-'))),
  {
    async remove(sandbox) {
      sandbox.close()
      await removeFolder(sandbox)
    },
    another: ({ workdir }) => behindRelay(workdir),
    loseWorkdir: removeFolder,
  },
)

describe('a sandbox behind a relay', () => {
  for (const { name, run } of cases) it(name, run)

  it('tells its isolation, and connects only once', async () => {
    const { remote, wires } = await relayPair()
    expect(wires).toHaveLength(0)
    const isolations = await Promise.all([remote.activeIsolation(), remote.activeIsolation()])
    expect(isolations[0]).toMatchObject({ level: 'none' })
    expect(wires).toHaveLength(1)
  })

  it('works on after its connection was lost, and after a pause', async () => {
    const { remote, wires, cut } = await relayPair()
    await remote.files.writeAtomic('f', 'text')
    cut()
    expect(await remote.files.read('f')).toBe('text')
    expect(wires).toHaveLength(2)
    remote.connection.pause()
    const read = remote.files.read('f')
    remote.connection.resume()
    expect(await read).toBe('text')
    expect(wires).toHaveLength(3)
    remote.close()
    await expect(remote.files.read('f')).rejects.toMatchObject({ code: 'UNREACHABLE' })
  })

  it('lists a folder with thousands of names', async () => {
    const { local, remote } = await relayPair()
    const names = Array.from({ length: 2001 }, (_, index) => `name-${index}`)
    await mkdir(join(local.workdir, 'many'), { recursive: true })
    for (const name of names) await mkdir(join(local.workdir, 'many', name))
    expect((await remote.files.list('many')).sort()).toEqual([...names].sort())
  })

  it('reports that something changed after a loss, because nobody knows what', async () => {
    const { remote, wires, cut } = await relayPair()
    await remote.files.writeAtomic('d/f', '1')
    const onChange = vi.fn()
    const stop = remote.files.watch?.('d', onChange)
    onTestFinished(() => stop?.())
    await vi.waitFor(async () => {
      await remote.files.writeAtomic('d/f', `${Math.random()}`)
      expect(onChange).toHaveBeenCalled()
    })
    onChange.mockClear()
    cut()
    await vi.waitFor(() => expect(wires).toHaveLength(2))
    await vi.waitFor(() => expect(onChange.mock.calls).toContainEqual([null]))
  })

  it('says why a relay ended that got something else than requests', async () => {
    const { remote, wires, served } = await relayPair()
    await remote.files.read('f')
    wires[0]?.stdin.write('this is no request\n')
    await expect(served[0]).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  })
})

/** The command lines that sandboxes with these options start relays with. */
async function commandLine(options: Partial<RemoteSandboxOptions>): Promise<readonly string[]> {
  const connect = vi.fn((): never => {
    throw new Error('Nobody is there')
  })
  const sandbox = new RemoteSandbox({ name: 'n', workdir: '/w', connect, ...options })
  await expect(sandbox.files.read('f')).rejects.toThrow('Nobody is there')
  sandbox.close()
  const [argv] = connect.mock.calls[0] as unknown as [readonly string[]]
  return argv
}

describe('the command line of a relay', () => {
  it('has the folder and a session of its own', async () => {
    const relay = ['sandagent', '-q'] as const
    const lines = [await commandLine({ relay }), await commandLine({ relay })]
    for (const line of lines)
      expect(line).toEqual([
        'sandagent',
        '-q',
        'relay',
        '--workdir=/w',
        expect.stringMatching(/^--session=.{36}$/),
      ])
    expect(lines[0]?.[4]).not.toBe(lines[1]?.[4])
  })

  it.each<[Partial<RemoteSandboxOptions>, string[]]>([
    [{ isolation: 'none' }, ['--isolation=none']],
    [{ agentUser: 'agent' }, ['--agent-user=agent']],
    [{ stateFolder: '.state' }, ['--state-folder=.state']],
    [{ sweepAfterMs: 5 }, ['--sweep-after-ms=5']],
    [{ sweepAfterMs: false }, ['--sweep-after-ms=never']],
    [{ readable: ['/a', '/b'] }, ['--readable=/a', '--readable=/b']],
    [{ hosts: ['a.example', 'b.example'] }, ['--allow-host=a.example', '--allow-host=b.example']],
  ])('has what was chosen: %j', async (options, words) => {
    expect((await commandLine({ relay: ['relay'], ...options })).slice(4)).toEqual(words)
  })

  it('begins with the Node of the sandbox where the relay is brought along', async () => {
    expect((await commandLine({})).slice(0, 2)).toEqual(['node', '-e'])
    expect((await commandLine({ node: '/opt/node' })).slice(0, 2)).toEqual(['/opt/node', '-e'])
  })
})

it.each(['w', './w', '', '~/w', '1:\\w'])('the workdir %j is not inside a sandbox', (workdir) => {
  const connect = () => Promise.reject(new Error('no'))
  expect(() => new RemoteSandbox({ name: 'n', workdir, connect })).toThrow(/an absolute path/)
})

it.each(['/w', 'C:\\w', 'd:/w'])('the workdir %j is inside a sandbox', (workdir) => {
  const connect = () => Promise.reject(new Error('no'))
  const sandbox = new RemoteSandbox({ name: 'n', workdir, connect, sweepAfterMs: 9, stateFolder: '.s' })
  expect(sandbox).toMatchObject({ workdir, sweepAfterMs: 9, stateFolder: '.s' })
})
