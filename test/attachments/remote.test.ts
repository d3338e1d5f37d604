import { chmod, chown, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { canBeOther, OTHER_USER } from '@sandagent/fixtures/other-user.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { commandSandbox } from '@sandagent/remote'
import { createAnswerHandler, type RunSandbox, submitAnswer } from '@sandagent/sdk'
import { storeAttachment } from '@sandagent/sdk/internal'
import { describe, expect, it, onTestFinished } from 'vitest'
import { askForFile } from '../support/attachments/asking-runner.ts'
import { answerWithFile, PNG, sha256 } from '../support/attachments/place.ts'
import { pipedSandbox } from '../support/remote/piped-sandbox.ts'
import { hasSshServer, sshServer } from '../support/remote/ssh-server.ts'

const LARGE = Buffer.concat([PNG, Buffer.alloc(1_000_000, 7)])
const placeOf = (sandbox: RunSandbox, bytes: Buffer): string =>
  join(sandbox.workdir, '.sandagent/attachments', `${sha256(bytes)}.png`)

describe('a file for an agent elsewhere', () => {
  it.skipIf(!hasSshServer)('arrives over SSH, whole and readable for the agent', async () => {
    const server = await sshServer()
    const workdir = join(server.home, 'the agent’s work')
    const sandbox = commandSandbox(server.command, { workdir, isolation: 'none' })
    onTestFinished(() => sandbox.close())
    const { toolCallId, said } = await askForFile(sandbox, ['sandagent'])
    const { GET } = createAnswerHandler({ sandbox, authorize: () => true })
    const view = await GET(new Request(`http://localhost/api/answer?toolCallId=${toolCallId}`))
    expect(await view.json()).toMatchObject({ takesFiles: true })
    await answerWithFile(sandbox, toolCallId, LARGE)
    const place = placeOf(sandbox, LARGE)
    expect(await said()).toBe(`It is screen.png at ${place}`)
    expect((await stat(place)).uid).toBe(server.uid)
    expect(sha256(await readFile(place))).toBe(sha256(LARGE))
  })

  it.skipIf(!canBeOther)('of another user can be read there', async () => {
    const folder = await tempDir()
    await chown(folder, 0, Number.parseInt(OTHER_USER, 10))
    await chmod(folder, 0o750)
    const path = [dirname(process.execPath), '/usr/bin', '/bin'].join(':')
    const command = ['env', `HOME=${await tempDir()}`, `PATH=${path}`] as const
    const workdir = join(folder, 'work')
    const sandbox = commandSandbox(command, { workdir, isolation: 'none', agentUser: OTHER_USER })
    onTestFinished(() => sandbox.close())
    const { toolCallId, said } = await askForFile(sandbox, ['sandagent'])
    await answerWithFile(sandbox, toolCallId)
    expect(await said()).toBe(`It is screen.png at ${placeOf(sandbox, PNG)}`)
  })

  it('whose bytes were changed there has no path', async () => {
    const { sandbox } = await pipedSandbox()
    const { toolCallId, said } = await askForFile(sandbox)
    const question = { id: 'q', question: 'What do you see?', files: {} }
    const given = { toolCallId, question, mediaType: 'image/png', bytes: [LARGE] }
    const file = { ...(await storeAttachment(sandbox, given)), name: 'screen.png' }
    const changed = Buffer.from(LARGE)
    changed[changed.length - 1] = 0
    await writeFile(placeOf(sandbox, LARGE), changed)
    const response = { selected: [], files: [file], source: 'human' as const }
    await submitAnswer(sandbox, { toolCallId, responses: { q: response } })
    expect(await said()).toBe(
      'It is screen.png (which is left out: its bytes are not those that the user gave)',
    )
  })

  it.each(['writeAt', 'rename'])('arrives though the reply to its %s is lost', async (call) => {
    const { sandbox, wire } = await pipedSandbox()
    const { toolCallId, said } = await askForFile(sandbox)
    let asked: unknown
    let isLost = false
    wire.onFrame = (direction, text) => {
      const frame = JSON.parse(text)
      if (isLost) return false
      if (direction === '>' && frame.call === call) asked ??= frame.id
      isLost = direction === '<' && asked !== undefined && frame.id === asked
      return isLost
    }
    await answerWithFile(sandbox, toolCallId)
    expect(isLost).toBe(true)
    expect(await said()).toBe(`It is screen.png at ${placeOf(sandbox, PNG)}`)
  })
})
