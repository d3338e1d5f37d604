import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createFileHostChannel, createFileRunnerChannel, createLocalFiles } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it, onTestFinished } from 'vitest'
import { approvalFor, openRecord } from './channel-contract.ts'

const SCRIPT = fileURLToPath(new URL('support/complete-question.mjs', import.meta.url))

it('lets exactly one of several host processes complete each question, and every one learns which', async () => {
  const workdir = await tempDir()
  const ids = Array.from({ length: 40 }, (_, n) => `t${n}`)
  const runner = createFileRunnerChannel({ workdir })
  const host = createFileHostChannel({ files: createLocalFiles(workdir) })
  // Every other question is asked again under an id whose earlier answer is still there.
  for (const id of ids.filter((_, n) => n % 2)) {
    await host.write(approvalFor(id, { status: 'completed', nonce: 'earlier' }), { expectedRevision: 0 })
    await runner.open(openRecord(id))
  }
  const hosts = ['one', 'two', 'three'].map((name) => fork(SCRIPT, [workdir, name, ...ids]))
  onTestFinished(() => {
    for (const host of hosts) host.kill()
  })
  await Promise.all(hosts.map((host) => message(host)))
  const told = await Promise.all(
    hosts.map((host) => {
      host.send('go')
      return message(host) as Promise<string[]>
    }),
  )

  for (const [n, id] of ids.entries()) {
    const winner = (await host.read(id)).answerFile
    expect(winner?.status).toBe('completed')
    expect(await runner.read(id)).toEqual(winner)
    expect(told.map((answers) => answers[n])).toEqual(hosts.map(() => winner?.answeredBy))
  }
  await Promise.all(hosts.map((host) => host.exitCode ?? once(host, 'exit')))
  expect(hosts.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
})

/** The next message of a process; it fails when the process ends instead. */
async function message(host: ChildProcess): Promise<unknown> {
  const ended = once(host, 'exit').then(([code]) => {
    throw new Error(`The host process ended with ${code}`)
  })
  const [value] = (await Promise.race([once(host, 'message'), ended])) as [unknown]
  return value
}
