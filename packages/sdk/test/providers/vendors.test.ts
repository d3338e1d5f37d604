import { PassThrough, Readable, Writable } from 'node:stream'
import { expect, it, vi } from 'vitest'
import { LocalSandbox } from '../../src/index.ts'
import { daytonaSandbox } from '../../src/providers/daytona.ts'
import { e2bSandbox } from '../../src/providers/e2b.ts'
import { modalSandbox } from '../../src/providers/modal.ts'
import { vercelSandbox } from '../../src/providers/vercel.ts'
import { serveRelay } from '../../src/relay/serve-relay.ts'
import { tempSandbox } from '../support/temp-sandbox.ts'

const OPTIONS = { workdir: '/w' }

it('sandboxes of different providers, and of different ids, are different', () => {
  const make = (id: string) => [
    modalSandbox({ sandboxId: id } as never, OPTIONS),
    e2bSandbox({ sandboxId: id } as never, OPTIONS),
    vercelSandbox({ name: id } as never, OPTIONS),
    daytonaSandbox({ id } as never, OPTIONS),
  ]
  const ids = [...make('one'), ...make('two')].map(({ files }) => files.id)
  expect(new Set(ids).size).toBe(8)
  expect(make('one').map(({ files }) => files.id)).toEqual(ids.slice(0, 4))
})

it('a sandbox of Modal is reached by the streams of a program', async () => {
  const { workdir } = await tempSandbox()
  const sandbox = new LocalSandbox({ workdir, isolation: 'none', onIsolation: () => {} })
  const closeStdin = vi.fn(async () => {})
  const exec = vi.fn(async (_argv: string[], _options: object) => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const serving = serveRelay({ sandbox, input, output, version: '1' })
    return {
      stdin: Writable.toWeb(input),
      stdout: Readable.toWeb(output),
      wait: () => serving.then(() => 3),
      closeStdin,
    }
  })
  const remote = modalSandbox({ sandboxId: 'one', exec } as never, { workdir, relay: ['sandagent', '-q'] })
  await remote.files.writeAtomic('f', 'text')
  expect(await sandbox.files.read('f')).toBe('text')
  const [argv, options] = exec.mock.calls[0] as [string[], object]
  expect(argv.slice(0, 3)).toEqual(['sandagent', '-q', 'relay'])
  expect(options).toEqual({ mode: 'binary', stderr: 'ignore' })
  remote.close()
  await vi.waitFor(() => expect(closeStdin).toHaveBeenCalledOnce())
})
