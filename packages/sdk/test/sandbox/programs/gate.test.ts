import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { behindGate } from '../../../src/sandbox/programs/gate.ts'

const ENV = { PATH: process.env.PATH, GREETING: 'hello' }

/** A program behind its gate, which waits for a word. */
async function waiting(command: string, ...args: string[]) {
  const workdir = await tempDir()
  const launch = await behindGate({ command, args, env: ENV }, workdir)
  const child: ChildProcess = spawn(launch.command, launch.args, {
    cwd: workdir,
    env: launch.env as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => text(stream as NodeJS.ReadableStream))
  const ended = once(child, 'close')
  return {
    ...{ launch, stdout, stderr, pid: child.pid },
    exitCode: async () => (await ended)[0],
    say: (word: string) => void (child.stdio[3] as Writable).end(word),
  }
}

describe('a program behind a gate', () => {
  it('becomes the process that waited, with its words and variables alone', async () => {
    const script = 'echo $$ "$1" "$GREETING" "<$SANDAGENT_GATE>"; (: <&3) 2>/dev/null || echo closed; exit 7'
    const { launch, say, stdout, exitCode, pid } = await waiting('sh', '-c', script, 'sh', "it's $HOME")
    say(launch.request)
    expect(await stdout).toBe(`${pid} it's $HOME hello <>\nclosed\n`)
    expect(await exitCode()).toBe(7)
  })

  it.each(['', 'no\n', 'go away\n'])('never begins by the word %j', async (word) => {
    const { say, stdout, stderr, exitCode } = await waiting('echo', 'begun')
    say(word)
    expect([await exitCode(), await stdout]).toEqual([125, ''])
    expect(await stderr).toBe('sandagent: the host ended before it had started this\n')
  })

  it('is a program of the path, or of the workdir, and keeps its user', async () => {
    const workdir = await tempDir()
    await mkdir(join(workdir, 'bin'))
    await symlink('/bin/sh', join(workdir, 'bin/tool'))
    const user = { name: 'agent', uid: 1234, gid: 1235 }
    for (const [command, path] of [
      ['bin/tool', '/nowhere'],
      ['tool', 'bin'],
    ] as const)
      expect(await behindGate({ command, args: [], env: { PATH: path }, user }, workdir)).toMatchObject({
        env: { PATH: path },
        user,
      })
    await expect(behindGate({ command: 'tool', args: [], env: ENV }, workdir)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('tool cannot be started'),
      cause: { code: 'ENOENT', message: 'spawn tool ENOENT' },
    })
  })
})
