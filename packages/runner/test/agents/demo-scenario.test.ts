import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { createScriptedAgent, parseScenario } from '../../src/index.ts'
import { createRun } from '../agent-run.ts'
import { picked, typed } from '../workspace.ts'

const scenario = new URL('../../../../.sandagent/scenarios/create-project.json', import.meta.url)
const greeting = 'Grüß "dich" </script> `'

async function create({
  kind,
  extras = [],
  decision = 'allow-session',
}: {
  kind: string
  extras?: string[]
  decision?: string
}) {
  const { run, space, text } = await createRun()
  const done = createScriptedAgent(parseScenario(JSON.parse(await readFile(scenario, 'utf8'))))(run)
  await vi.waitFor(() => space.record('run_1-2'))
  const isOption = ['Command-line tool', 'Web server', 'Web page'].includes(kind)
  await space.respond('run_1-2', { kind: isOption ? picked(kind) : typed(kind) })
  await vi.waitFor(() => space.record('run_1-4'))
  await space.respond('run_1-4', {
    ...(extras.length > 0 && { extras: picked(...extras) }),
    greeting: typed(greeting),
  })
  const approval = await vi.waitFor(async () => {
    const [record] = (await space.host.questions()).filter(({ kind }) => kind === 'approval')
    expect(record).toBeDefined()
    return record
  })
  await space.respond(approval?.toolCallId ?? '', { permission: picked(decision) })
  await done
  return {
    text: text(),
    files: (await readdir(join(space.workdir, 'greeter'))).sort(),
    workdir: space.workdir,
  }
}

describe('the scenario of the demo', () => {
  it('creates a command-line tool that greets as the person typed', async () => {
    const { text, files } = await create({ kind: 'Command-line tool' })
    expect(files).toEqual(['cli.js', 'greeting.js', 'package.json'])
    expect(text).toContain(`${greeting}, world!\n${greeting}, everyone!`)
  })

  it('creates a web server and asks it', async () => {
    const { text, files } = await create({ kind: 'Web server', extras: ['Licence file'] })
    expect(files).toEqual(['LICENSE', 'greeting.js', 'package.json', 'server.js'])
    expect(text).toContain(`/world\n${greeting}, world!`)
  })

  it('creates a web page that no greeting breaks', async () => {
    const { files, workdir } = await create({ kind: 'Web page' })
    expect(files).toEqual(['build.js', 'greeting.js', 'index.html', 'package.json'])
    const page = await readFile(join(workdir, 'greeter/index.html'), 'utf8')
    expect(page.match(/<\/script>/g)).toHaveLength(1)
  })

  it('adds what was picked, and runs the tests it wrote', async () => {
    const { text, files } = await create({
      kind: 'Command-line tool',
      extras: ['Tests', 'README, with usage', 'Licence file'],
    })
    expect(files).toEqual([
      'LICENSE',
      'README.md',
      'cli.js',
      'greeting.js',
      'greeting.test.js',
      'package.json',
    ])
    expect(text).toMatch(/pass 2\n.*fail 0/)
  })

  it('runs nothing that the person denied', async () => {
    const { text, files } = await create({ kind: 'Command-line tool', decision: 'deny' })
    expect(text).toContain('I have not run it')
    expect(text).not.toContain(`${greeting}, world!`)
    expect(files).toEqual(['cli.js', 'greeting.js', 'package.json'])
  })

  it('says honestly what it makes of a kind that it does not know', async () => {
    const { text, files } = await create({ kind: 'a game' })
    expect(text).toContain('“a game” is none of them')
    expect(files).toContain('cli.js')
  })
})
