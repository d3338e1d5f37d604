import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canBeOther, OTHER_USER } from '@sandagent/fixtures/other-user.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { parkSandbox } from '@sandagent/remote'
import { LocalSandbox, type RunSandbox } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { askForFile, RUNNER, SCENARIO } from '../support/attachments/asking-runner.ts'
import { answerWithFile, PNG, sha256 } from '../support/attachments/place.ts'
import { type Sleep, sleepySandbox } from '../support/park/sleepy-sandbox.ts'

const isolated = new LocalSandbox({ workdir: import.meta.dirname, isolation: 'strict' })
const canIsolate = await isolated.activeIsolation().then(
  () => true,
  () => false,
)
const NAME = `${sha256(PNG)}.png`

/** Which of these commands an agent of the sandbox can carry out. */
async function allowed(sandbox: RunSandbox, commands: readonly string[]): Promise<string[]> {
  const done: string[] = []
  for (const command of commands) {
    const child = await sandbox.spawn('sh', ['-c', command])
    child.stdin.end()
    child.stdout.resume()
    child.stderr.resume()
    if ((await child.ended).exitCode === 0) done.push(command)
  }
  return done
}

const path = `.sandagent/attachments/${NAME}`
const READ = `sha256sum ${path} | grep ${sha256(PNG)}`
const CHANGES = [
  `echo 1 >${path}`,
  `echo 1 >other && mv -f other ${path}`,
  `ln -sf /etc/passwd ${path}`,
  `rm -f ${path} && ! test -e ${path}`,
  'mv .sandagent/attachments elsewhere',
  'echo 1 >.sandagent/attachments/more',
]

describe('a file for an agent', () => {
  it.skipIf(!canIsolate)('that is isolated can be read there, and neither changed nor replaced', async () => {
    const workdir = join(await tempDir(), 'work')
    const sandbox = new LocalSandbox({ workdir, isolation: 'strict', onIsolation: () => {} })
    const { toolCallId, said } = await askForFile(sandbox)
    await answerWithFile(sandbox, toolCallId)
    expect(await said()).toBe(`It is screen.png at ${join(workdir, path)}`)
    expect(await allowed(sandbox, [READ, ...CHANGES])).toEqual([READ])
  })

  it.skipIf(!canBeOther)('of another user can be read there, and neither changed nor replaced', async () => {
    const folder = await tempDir()
    await chmod(folder, 0o755)
    const workdir = join(folder, 'work')
    const sandbox = new LocalSandbox({
      workdir,
      agentUser: OTHER_USER,
      isolation: 'none',
      onIsolation: () => {},
    })
    const { toolCallId, said } = await askForFile(sandbox)
    await answerWithFile(sandbox, toolCallId)
    expect(await said()).toBe(`It is screen.png at ${join(workdir, path)}`)
    expect(await allowed(sandbox, [READ, ...CHANGES])).toEqual([READ])
  })

  it.each<Sleep>(['freeze', 'end'])('that sleeps arrives, where its sleep is to %s', async (kind) => {
    const { sandbox, workdir, sleep, wake } = await sleepySandbox(kind)
    const parked = await parkSandbox(sandbox, {
      folder: await tempDir(),
      afterMs: 50,
      sleep,
      wake,
      restart: (run) => ({ ...run, runner: RUNNER }),
    })
    onTestFinished(() => parked.close())
    await mkdir(workdir, { recursive: true })
    await writeFile(join(workdir, 'scenario.json'), JSON.stringify(SCENARIO))
    const { toolCallId, said } = await askForFile(parked)
    await vi.waitFor(() => expect(parked.phase).toBe('asleep'))
    await answerWithFile(parked, toolCallId)
    expect(await said()).toBe(`It is screen.png at ${join(workdir, path)}`)
  })
})
