import { chmod, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, onTestFinished, vi } from 'vitest'
import { daytonaSandbox } from '../../examples/vendors/daytona.mjs'
import { COMMAND } from '../support/remote/piped-sandbox.ts'
import { daytonaPlace, daytonaService } from '../support/vendors/daytona-place.ts'
import { e2bPlace } from '../support/vendors/e2b-place.ts'

const relay = [process.execPath, COMMAND] as const
const UNREACHABLE = { code: 'UNREACHABLE' }

it('E2B: the message has the last line that the program printed as an error', async () => {
  const { sandbox } = await e2bPlace({ workdir: '/tmp/nowhere', node: '/nowhere/node' })
  onTestFinished(() => sandbox.close())
  await expect(sandbox.files.list('.')).rejects.toMatchObject({
    ...UNREACHABLE,
    message: expect.stringMatching(/\/nowhere\/node: .*(not found|No such file)/i),
  })
})

it('Daytona: a session is deleted when its relay has ended, and nothing is left of its files', async () => {
  const { service, sessions } = daytonaService()
  const folders = async () =>
    (await readdir(tmpdir())).filter((name) => /^sandagent-[0-9a-f-]{36}$/.test(name))
  const uploads: string[] = []
  const { uploadFile } = service.fs
  service.fs.uploadFile = (bytes, path) => {
    uploads.push(path)
    return uploadFile(bytes, path)
  }
  const sandbox = daytonaSandbox(service, { workdir: join(await tempDir(), 'w'), isolation: 'none', relay })
  onTestFinished(() => sandbox.close())
  expect(await sandbox.files.list('.')).toEqual([])
  expect(sessions.size).toBe(1)
  sandbox.close()
  await vi.waitFor(() => expect(sessions.size).toBe(0))
  const used = uploads.map((path) => path.split('/')[2])
  expect((await folders()).filter((name) => used.includes(name))).toEqual([])
})

it('Daytona: a relay that ends by itself gets no more files', async () => {
  const { service, sessions } = daytonaService()
  const uploads: string[] = []
  service.fs.uploadFile = async (_, path) => void uploads.push(path)
  const options = { workdir: '/tmp/nowhere', relay: ['true'] as const }
  const sandbox = daytonaSandbox(service, options)
  onTestFinished(() => sandbox.close())
  await expect(sandbox.files.list('.')).rejects.toMatchObject(UNREACHABLE)
  await vi.waitFor(() => expect(sessions.size).toBe(0))
  expect(uploads).toEqual([])
})

it('Daytona: the session of a command that cannot be started is deleted', async () => {
  const { service, sessions } = daytonaService()
  service.process.executeSessionCommand = () => Promise.reject(new Error('It is full'))
  const sandbox = daytonaSandbox(service, { workdir: '/tmp/nowhere', relay })
  onTestFinished(() => sandbox.close())
  await expect(sandbox.files.list('.')).rejects.toThrow('It is full')
  expect(sessions.size).toBe(0)
})

it('files reach the relay where no folder can be watched', async () => {
  const folder = await tempDir()
  const preload = join(folder, 'no-watches.cjs')
  await writeFile(preload, 'require("fs").watch = () => { throw new Error("ENOSPC") }')
  const node = join(folder, 'node')
  await writeFile(node, `#!/bin/sh\nexec ${process.execPath} --require ${preload} "$@"\n`)
  await chmod(node, 0o755)
  const { sandbox } = await daytonaPlace({ workdir: join(folder, 'w'), isolation: 'none', relay, node })
  onTestFinished(() => sandbox.close())
  expect(await sandbox.files.list('.')).toEqual([])
})
