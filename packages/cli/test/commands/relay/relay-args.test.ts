import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseRelayArgs, RELAY } from '../../../src/commands/relay/relay-args.ts'

/** The options that the help describes. */
const described = Object.keys(RELAY.options).map((name) => `--${name}`)

/** A value that each option takes. */
const VALUES: Record<string, string> = {
  '--workdir': '/w',
  '--state-folder': '.state',
  '--sweep-after-ms': '1000',
  '--isolation': 'strict',
  '--agent-user': 'agent',
  '--readable': '/opt/tools',
  '--allow-host': 'api.example.com',
  '--session': 'one',
}

describe('the command line of a relay', () => {
  it('has its help, option by option', () => {
    expect(described).toEqual(Object.keys(VALUES))
    expect(parseRelayArgs(Object.entries(VALUES).map(([name, value]) => `${name}=${value}`))).toEqual({
      session: 'one',
      sandbox: {
        workdir: '/w',
        stateFolder: '.state',
        sweepAfterMs: 1000,
        isolation: 'strict',
        agentUser: 'agent',
        readable: ['/opt/tools'],
        hosts: ['api.example.com'],
      },
    })
  })

  it('is described in the reference', () => {
    const guide = readFileSync(
      new URL('../../../../../docs/reference/command-line.md', import.meta.url),
      'utf8',
    )
    const rows = guide.split('## The relay')[1]?.matchAll(/^\| `(--[a-z-]+) /gm) ?? []
    expect(Array.from(rows, ([, name]) => name)).toEqual(described)
  })

  it('names what is wrong', () => {
    expect(() => parseRelayArgs([])).toThrow('--workdir is missing')
    expect(() => parseRelayArgs(['--workdir', '/w', '--agent-usr', 'a'])).toThrow('--agent-user')
    expect(() => parseRelayArgs(['--workdir', '/w', '--session', '../x'])).toThrow('--session takes')
    expect(() => parseRelayArgs(['--workdir', '/w', '--isolation', 'much'])).toThrow('--isolation takes')
  })
})
