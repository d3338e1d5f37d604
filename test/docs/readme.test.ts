import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox, listQuestions } from '@sandagent/sdk'
import { expect, it, onTestFinished, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'

/** The arguments of the README's command, with quotes as a shell reads them, and its workdir. */
function commandOfReadme(): { args: string[]; workdir: string } {
  const line = /^npx sandagent (run .*)$/m.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[1] ?? ''
  const args = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word)
  return { args, workdir: args[args.indexOf('--workdir') + 1] ?? '' }
}

it('gives a command that runs in a clone, asks, and ends when it is told to', async () => {
  const folder = await tempDir()
  const { args, workdir } = commandOfReadme()
  const elsewhere = args.map((word) => (word === workdir ? folder : word))
  const child = spawn(join(root, 'node_modules/.bin/sandagent'), elsewhere, { cwd: root })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'close')
  let stream = ''
  child.stdout.on('data', (text) => {
    stream += text
  })

  const sandbox = new LocalSandbox({ workdir: folder })
  await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
  await vi.waitFor(() => expect(stream).toContain('"toolName":"AskUserQuestion"'))
  child.kill('SIGTERM')
  expect(await ended).toEqual([143, null])
  expect(stream).toMatch(/data: \[DONE\]\n\n$/)
})
