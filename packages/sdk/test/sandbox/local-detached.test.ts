import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { DetachedProgram, LocalSandbox } from '../../src/index.ts'
import { gone, isRunning } from '../support/runs.ts'
import { refusalOf, tempSandbox } from '../support/temp-sandbox.ts'

const OUTPUTS = { stdout: 'out', stderr: 'err' }
const STAYS = 'setInterval(() => {}, 60_000)'

/** Starts a Node script that is killed when the test ends. */
async function start({ detached }: LocalSandbox, script: string): Promise<DetachedProgram & { pid: number }> {
  const program = await detached.start(process.execPath, ['-e', script], OUTPUTS)
  onTestFinished(async () => {
    await detached.kill(program.handle)
    await program.ended
  })
  return { ...program, pid: Number(program.handle.split(' ')[0]) }
}

const printed = ({ files }: LocalSandbox, path: string): Promise<string> =>
  vi.waitFor(async () => {
    const text = await files.read(path)
    if (!text) throw new Error(`${path} is empty`)
    return text
  })

describe('a detached program', () => {
  it('prints into new files, each of its outputs into its own', async () => {
    const sandbox = await tempSandbox()
    const { ended } = await start(sandbox, "console.log('out', process.cwd()); console.error('err')")
    expect(await ended).toEqual({ exitCode: 0, signal: null })
    expect(await sandbox.files.read('out')).toBe(`out ${sandbox.workdir}\n`)
    expect(await sandbox.files.read('err')).toBe('err\n')
    expect((await refusalOf(start(sandbox, ''))).code).toBe('CONFLICT')
  })

  it('has an input that is at its end', async () => {
    const sandbox = await tempSandbox()
    const { ended } = await start(sandbox, "process.stdin.on('end', () => process.exit(7)).resume()")
    expect(await ended).toEqual({ exitCode: 7, signal: null })
  })

  it('runs until it is asked to end', async () => {
    const sandbox = await tempSandbox()
    const { handle, ended } = await start(sandbox, STAYS)
    expect(await sandbox.detached.isRunning(handle)).toBe(true)
    await sandbox.detached.interrupt(handle)
    expect(await ended).toEqual({ exitCode: null, signal: 'SIGTERM' })
    expect(await sandbox.detached.isRunning(handle)).toBe(false)
    await sandbox.detached.interrupt(handle)
  })

  it('is killed with all that it started, also when it is gone itself', async () => {
    const sandbox = await tempSandbox()
    const script = `const { pid } = require('node:child_process').spawn(process.execPath, ['-e', '${STAYS}']); console.log(pid)`
    for (const leaves of [false, true]) {
      const { handle, ended } = await start(
        sandbox,
        `${script}; if (${leaves}) process.exit(); else ${STAYS}`,
      )
      const child = Number(await printed(sandbox, 'out'))
      if (leaves) await ended
      expect(await isRunning(child)).toBe(true)
      await sandbox.detached.kill(handle)
      await ended
      await gone(child)
      await Promise.all(['out', 'err'].map((path) => sandbox.files.remove(path)))
    }
  })

  it('is told from another process with the same number', async () => {
    const sandbox = await tempSandbox()
    const { handle, pid } = await start(sandbox, STAYS)
    const [, startedAt, system] = handle.split(' ')
    const others = [
      `${pid} 1 ${system}`,
      `${pid} ended ${system}`,
      `${pid} ${startedAt} another-boot/pid:[1]`,
    ]
    for (const other of others) {
      expect(await sandbox.detached.isRunning(other), other).toBe(false)
      await sandbox.detached.interrupt(other)
      await sandbox.detached.kill(other)
    }
    expect(await sandbox.detached.isRunning(handle)).toBe(true)
  })

  it('cannot be named by a text that means something else to the system', async () => {
    const { detached } = await tempSandbox()
    const signals = vi.spyOn(process, 'kill')
    onTestFinished(() => signals.mockRestore())
    const system = (await detached.start('true', [], OUTPUTS)).handle.split(' ')[2]
    for (const pid of [
      '',
      '0',
      '1',
      '-1',
      '00',
      '01',
      '1e0',
      '0x1',
      '99999999999',
      'self',
      `${process.pid}\n`,
    ])
      for (const handle of [`${pid} 1 ${system}`, `${pid} ended ${system}`, pid]) {
        expect(await detached.isRunning(handle), handle).toBe(false)
        await detached.interrupt(handle)
        await detached.kill(handle)
      }
    expect(signals).not.toHaveBeenCalled()
  })

  it('is not there when there is no such program', async () => {
    const sandbox = await tempSandbox()
    expect(await refusalOf(sandbox.detached.start('no-such-program', [], OUTPUTS))).toMatchObject({
      code: 'NOT_FOUND',
      cause: { code: 'ENOENT' },
    })
  })

  it('is not there when the system does not take its arguments', async () => {
    const { detached, files } = await tempSandbox()
    for (const argument of ['a\0b', 'x'.repeat(5_000_000)]) {
      expect((await refusalOf(detached.start('true', [argument], OUTPUTS))).code).toBe('INVALID_REQUEST')
      await Promise.all(['out', 'err'].map((path) => files.remove(path)))
    }
  })
})
