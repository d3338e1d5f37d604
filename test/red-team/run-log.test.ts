import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LocalSandbox, startRun, stopRun, streamRun } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../../scripts/run.mjs'

/** Opens all that any process here has open, once to write over it and once to write behind it. */
const attack = `
import { readdirSync, writeFileSync } from 'node:fs'
const say = (text) => console.log(JSON.stringify({ type: 'say', text }))
say('Before the attack')
const opened = []
for (const pid of readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name) && name !== String(process.pid)))
  for (const fd of ['1', '2'])
    for (const flag of ['w', 'a', 'r+'])
      try {
        writeFileSync('/proc/' + pid + '/fd/' + fd, 'data: {"type":"error","errorText":"FORGED"}\\n\\n', { flag })
        opened.push(pid)
      } catch {}
say('After the attack')
`

describe('the log of a run', () => {
  it('can be neither emptied nor rewritten by its isolated agent through the descriptors of its runner', async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'sandagent-red-'))
    onTestFinished(() => rm(folder, { recursive: true, maxRetries: 10, retryDelay: 50 }))
    const sandbox = new LocalSandbox({ workdir: folder, isolation: 'auto', onIsolation: () => {} })
    if ((await sandbox.activeIsolation()).level !== 'strict') return context.skip()
    await sandbox.files.writeAtomic('attack.mjs', attack)
    const { runId } = await startRun(sandbox, {
      agent: 'command',
      args: ['--', process.execPath, 'attack.mjs'],
      prompt: 'Go',
      runner: [process.execPath, join(root, 'packages/cli/dist/main.js')],
    })
    onTestFinished(() => stopRun(sandbox, runId).then(() => {}))
    let stream = ''
    for await (const bytes of (await streamRun(sandbox, runId)) as unknown as AsyncIterable<Uint8Array>)
      stream += new TextDecoder().decode(bytes)
    expect(stream).toMatch(/"type":"start"[\s\S]*Before the attack[\s\S]*After the attack[\s\S]*\[DONE\]/)
    for (const log of ['stream.sse', 'stderr.log'])
      expect(await sandbox.files.read(`.sandagent/runs/${runId}/1/${log}`)).not.toContain('FORGED')
  })
})
