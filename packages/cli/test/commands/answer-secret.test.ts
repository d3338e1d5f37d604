import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { takeSecret } from '@sandagent/runner'
import { describe, expect, it, vi } from 'vitest'
import { startInTerminal } from '../../../../test/support/terminal/pseudo-terminal.ts'
import { createHome, main } from '../command-process.ts'

const SECRET = 'Tr0ub4dor &3'
const asks = { ask: { questions: [{ id: 'token', question: 'The token?', secret: true }] } }

/** A run that asks for a secret, and what it was given. */
async function askingForSecret() {
  // A test that was cut short leaves its key in its own folder alone.
  const state = await tempDir()
  vi.stubEnv('XDG_STATE_HOME', state)
  const home = await createHome()
  const { run } = await home.asking('r', asks, { say: 'Told: {{answers.token}}.' })
  return {
    home,
    async given(): Promise<string> {
      await run.ended
      const [name = '', ...others] = await readdir(join(state, 'sandagent/secrets'))
      expect(others).toEqual([])
      return takeSecret(name.replace('.json', ''))
    },
    async piped(bytes: string | Buffer) {
      const { child, ended } = home.start(['answer', '--secret'])
      child.stdin.end(bytes)
      return ended
    },
  }
}

describe('sandagent answer --secret', () => {
  it.each([
    ['without a line break', SECRET, SECRET],
    ['with the line break of echo', `${SECRET}\n`, SECRET],
    ['with a line break of Windows', `${SECRET}\r\n`, SECRET],
    ['with several lines, of which one ending goes', 'one\ntwo\n\n', 'one\ntwo\n'],
  ])('reads standard input %s', async (_, written, secret) => {
    const { piped, given } = await askingForSecret()
    const { code, stdout, stderr } = await piped(written)
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({ toolCallId: 'r-1', status: 'completed' })
    expect(stdout).not.toContain('Tr0ub4dor')
    expect(await given()).toBe(secret)
  })

  it.each([
    ['nothing', '', 'A secret has at least one character'],
    ['a line break alone', '\n', 'A secret has at least one character'],
    ['what is no text', Buffer.from([0x66, 0xff, 0xfe]), 'A secret is text in UTF-8'],
    ['what is too long', 'x'.repeat(30_000), 'This secret is too long'],
  ])('refuses %s, and the question still waits', async (_, written, words) => {
    const { piped, given } = await askingForSecret()
    const { code, stderr } = await piped(written)
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
    await piped(SECRET)
    expect(await given()).toBe(SECRET)
  })

  it('is typed in a terminal, which shows nothing of it, and can be corrected', async () => {
    const { home, given } = await askingForSecret()
    const terminal = startInTerminal(process.execPath, [main, 'answer', '--secret'], { env: home.env })
    await terminal.at('Nothing of it is shown: ', `${SECRET}xy`, '\u007f\u007f', '\r')
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).toContain('The token?')
    expect(terminal.output()).not.toMatch(/Tr0|4dor|xy/)
    expect(await given()).toBe(SECRET)
  })

  it('shows nothing of a secret that is pasted in several lines, and gives no part of it', async () => {
    const { home, piped, given } = await askingForSecret()
    // A shell goes on in the same terminal, as it does for a person.
    const line = `"${process.execPath}" "${main}" answer --secret; echo "code $?"; stty -a | grep -o -- '-\\?echo\\b'`
    const terminal = startInTerminal('/bin/sh', ['-c', line], { env: home.env })
    await terminal.at('Nothing of it is shown: ', 'first-part\rsecond-part\r')
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).toMatch(/This secret has several lines[\s\S]*code 2/)
    expect(terminal.screen()).not.toMatch(/first-part|second-part/)
    expect(terminal.screen().trim().endsWith('\necho')).toBe(true)
    await piped(SECRET)
    expect(await given()).toBe(SECRET)
  })

  it('gives nothing after Ctrl-C, and the terminal shows again what is typed', async () => {
    const { home, piped, given } = await askingForSecret()
    const line = `"${process.execPath}" "${main}" answer --secret; stty -a | grep -o -- '-\\?echo\\b'`
    const terminal = startInTerminal('/bin/sh', ['-c', `trap : INT; ${line}`], { env: home.env })
    await terminal.at('Nothing of it is shown: ', 'first-part\u0003')
    await terminal.ended
    expect(terminal.screen()).not.toContain('first-part')
    expect(terminal.screen().trim().endsWith('\necho')).toBe(true)
    await piped(SECRET)
    expect(await given()).toBe(SECRET)
  })

  it('is refused for a question that asks for no secret, and beside another answer', async () => {
    const home = await createHome()
    await home.asking('r')
    const refused = home.start(['answer', '--secret'])
    refused.child.stdin.end(SECRET)
    expect(await refused.ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('r-1 asks for no secret'),
    })
    const two = home.start(['answer', '--secret', '--text', 'x'])
    await once(two.child, 'exit')
    expect((await two.ended).stderr).toContain('Give one answer')
  })
})
