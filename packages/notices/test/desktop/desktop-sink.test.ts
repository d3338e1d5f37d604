import { chmod, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createDesktopSink } from '../../src/desktop/desktop-sink.ts'
import { exampleNotice, patience } from '../example-notice.ts'

/** A stand-in for `notify-send` that writes down its arguments, one in a line, and ends with `exitCode`. */
async function withNotifySend(exitCode = 0): Promise<() => Promise<string[]>> {
  const folder = await tempDir()
  const file = join(folder, 'arguments')
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" > '${file}'\necho 'No bus' >&2\nexit ${exitCode}\n`
  await writeFile(join(folder, 'notify-send'), script)
  await chmod(join(folder, 'notify-send'), 0o755)
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`)
  return async () => (await readFile(file, 'utf8')).trim().split('\n')
}

afterEach(() => void vi.unstubAllEnvs())

describe.runIf(process.platform === 'linux')('on a desktop of Linux', () => {
  it('a notice says where an agent asks, and not what', async () => {
    const args = await withNotifySend()
    await createDesktopSink().send(exampleNotice(), { signal: patience })
    expect(await args()).toEqual([
      '--app-name=SandAgent',
      '--',
      'An agent in The shop has a question',
      'Answer in the inbox, or with: sandagent answer',
    ])
  })

  it('a notice with words is one line without markup and control characters', async () => {
    const args = await withNotifySend()
    const question = 'Run <b>$(id)</b> `id` \u001b[31m\u0007 & "more"?\n\nIt is safe.'
    const notice = exampleNotice({
      isTextAllowed: true,
      sandboxName: '--urgency=critical',
      question: { questions: [{ id: 'q1', question, textFormat: 'plain' }] },
    })
    await createDesktopSink().send(notice, { signal: patience })
    expect((await args()).slice(2)).toEqual([
      'An agent in --urgency=critical has a question',
      'Run &lt;b&gt;$(id)&lt;/b&gt; `id`  &amp; "more"?',
    ])
  })

  it('a program that fails may be tried again, a missing one may not', async () => {
    await withNotifySend(1)
    const sink = createDesktopSink()
    await expect(sink.send(exampleNotice(), { signal: patience })).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: 'No bus',
    })
    vi.stubEnv('PATH', await tempDir())
    await expect(sink.send(exampleNotice(), { signal: patience })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: 'There is no program notify-send here. Install it, or leave the desktop out of the settings',
    })
  })
})
