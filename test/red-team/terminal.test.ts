import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox } from '@sandagent/sdk'
import { expect, it } from 'vitest'
import { startInTerminal } from '../support/terminal/pseudo-terminal.ts'

const COMMAND = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url))

const { level } = await new LocalSandbox({
  workdir: import.meta.dirname,
  onIsolation: () => {},
}).activeIsolation()

/**
 * Writes to the clipboard, clears the screen, and turns text around: by ESC, by C1 controls, in an error output and in JSON.
 */
const SCRIPT = String.raw`
  printf '\033]52;c;cm0gLXJmIC8=\007\033[2J\302\2332J\342\200\256seen in errors\n' >&2
  printf '\302\2332J\342\200\256seen in text\n'
`

it.runIf(level === 'strict').each(['strict', 'none'])(
  'an agent does nothing to the terminal that shows its stream, with isolation %s',
  async (isolation) => {
    const workdir = join(await tempDir(), 'workdir')
    const script = isolation === 'strict' ? SCRIPT : SCRIPT.replace(/.*>&2/, '')
    const args = ['--isolation', isolation, '--format', 'stream', '--agent', 'command', '--workdir', workdir]
    const terminal = startInTerminal(process.execPath, [COMMAND, 'run', ...args, '--', 'sh', '-c', script])
    expect(await terminal.ended).toBe(0)
    const output = terminal.output()
    expect(output).toContain('seen in text')
    if (isolation === 'strict') expect(output).toContain('seen in errors')
    expect(output.replaceAll('\r\n', '\n')).toMatch(/^[\n\u0020-\u007e\u2018-\u201d]*$/)
  },
)
