import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import {
  findProcess,
  hasProcessEnded,
  ownProcessHandle,
  processHandle,
} from '../../src/lib/process-handle.ts'

describe('the handle of a process', () => {
  it('finds a process while it runs, and tells when it is gone', async () => {
    const child = spawn('sleep', ['600'])
    const handle = await processHandle(child.pid as number)
    expect(await findProcess(handle)).toEqual({ state: 'running', pid: child.pid })
    expect(await hasProcessEnded(handle)).toBe(false)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await findProcess(handle)).toEqual({ state: 'ended', pid: child.pid })
    expect(await hasProcessEnded(handle)).toBe(true)
    expect(await processHandle(child.pid as number)).toMatch(`${child.pid} ended `)
  })

  it('tells a process from a later one with the same number', async () => {
    const [pid, , system] = (await processHandle(process.pid)).split(' ')
    expect(await findProcess(`${pid} 1 ${system}`)).toEqual({ state: 'replaced' })
    expect(await hasProcessEnded(`${pid} 1 ${system}`)).toBe(true)
  })

  it('tells that a process has ended when its machine was started again since', async () => {
    const handle = await processHandle(process.pid)
    const before = handle.replace(/\/[^/]+\//, '/an-earlier-boot/')
    expect(before).not.toBe(handle)
    expect(await findProcess(before)).toEqual({ state: 'replaced' })
  })

  it('tells nothing of a process of another machine or of another container', async () => {
    const handle = await processHandle(process.pid)
    const elsewhere = [
      handle.replace(` ${encodeURIComponent(hostname())}/`, ' another-machine/').replace(/\/[^/]+\//, '/b/'),
      handle.replace(/[^/]+$/, 'pid:[1]'),
      '',
      'no handle',
      '1 1 1',
    ]
    for (const other of elsewhere) {
      expect(await findProcess(other), other).toEqual({ state: 'unknown' })
      expect(await hasProcessEnded(other), other).toBe(false)
    }
  })

  it.runIf(process.platform === 'linux')('names machine, boot and container of this process', async () => {
    const [pid, start, system] = ((await ownProcessHandle()) as string).split(' ')
    expect([pid, start]).toEqual([`${process.pid}`, expect.stringMatching(/^\d+$/)])
    expect(system?.split('/')).toEqual([
      encodeURIComponent(hostname()),
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      await readlink('/proc/self/ns/pid'),
    ])
  })
})
