import { readdirSync } from 'node:fs'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { execute, link, packedProject } from '../support/packed-project.ts'

const fixture = (name: string): string => join(root, 'test/fixtures', name)

const NODENEXT = { module: 'nodenext', moduleResolution: 'nodenext' }
const BUNDLER = { module: 'esnext', moduleResolution: 'bundler' }

/** A busy machine packs and compiles for long. */
const PATIENCE_MS = 600_000

let project: string

beforeAll(async () => {
  project = await packedProject()
  await link(project, '@types/node', join(root, 'node_modules/@types/node'))
  await link(project, '@types/pg', join(root, 'packages/postgres/node_modules/@types/pg'))
  for (const name of ['api', 'exporter-trace-otlp-http', 'resources', 'sdk-trace-web'])
    await link(project, `@opentelemetry/${name}`, join(root, 'test/node_modules/@opentelemetry', name))
  for (const name of ['react', 'react-dom', '@types/react'])
    await link(project, name, join(root, 'packages/sdk/node_modules', name))
}, PATIENCE_MS)

afterAll(() => rm(project, { recursive: true }))

const addFile = (name: string): Promise<void> => copyFile(fixture(`${name}.txt`), join(project, name))
const useAiSdk = (version: string): Promise<void> =>
  link(project, 'ai', join(root, 'test/node_modules', version))

/** Compiles files of the project into its folder `out`; rejects with what the compiler says. */
async function compile(files: string[], options: Record<string, unknown>): Promise<void> {
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    jsx: 'react-jsx',
    strict: true,
    outDir: 'out',
    ...options,
  }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  await execute(join(root, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.json'], project)
}

describe('the packed packages', { timeout: PATIENCE_MS }, () => {
  it('declare types that hold without skipLibCheck', async () => {
    const dialects = ['agentrail', 'claude', 'cognipeer', 'harness', 'mcp', 'user-choice']
    const entries = [
      ...[
        'core',
        'files',
        'fleet',
        'fleet-host',
        'nats',
        'notices',
        'grants',
        'telemetry',
        'telemetry/log',
        'telemetry/page',
        'user-choice',
        'react',
        'runner',
        'runner/agentrail',
        'runner/cognipeer',
        'runner/mcp-client',
        'remote',
        'remote/relay',
        'sdk',
        'sdk/agentrail',
        'sdk/react',
        'testing',
        'testing/playwright',
      ],
      ...dialects.map((name) => `core/dialects/${name}`),
    ]
    const imports = entries.map((entry, index) => `export * as entry${index} from '@sandagent/${entry}'\n`)
    // A style sheet has none; to import it is no error all the same.
    const sheet = `import '@sandagent/react/styles.css'\nimport '@sandagent/sdk/react/styles.css'\n`
    await writeFile(join(project, 'entries.ts'), [sheet, ...imports])
    for (const options of [NODENEXT, BUNDLER])
      await compile(['entries.ts'], { ...options, skipLibCheck: false, noUncheckedSideEffectImports: true })
  })
})

describe('the code of the SandAgent document, unchanged, against the packed packages', {
  timeout: PATIENCE_MS,
}, () => {
  it.each([
    ['ai-5', 'bundler', BUNDLER],
    ['ai-6', 'nodenext', NODENEXT],
    ['ai-7', 'bundler', BUNDLER],
  ])('compiles beside %s with the module resolution %s', async (ai, _, options) => {
    await useAiSdk(ai)
    await addFile('answer-route.ts')
    await addFile('ask-user-question-ui.tsx')
    // The types of the AI SDK do not hold in a project without those of json-schema.
    await compile(['answer-route.ts', 'ask-user-question-ui.tsx'], { ...options, skipLibCheck: true })
  })

  it('runs: the answer API stores the file of the document, and the component renders', async () => {
    await useAiSdk('ai-7')
    await addFile('answer-route.ts')
    const component = await readFile(fixture('ask-user-question-ui.tsx.txt'), 'utf8')
    await writeFile(join(project, 'exported-ui.tsx'), `${component}\nexport { AskUserQuestionUI }\n`)
    await compile(['answer-route.ts', 'exported-ui.tsx'], { ...NODENEXT, skipLibCheck: true })

    const document = JSON.parse(await readFile(fixture('approval.json'), 'utf8'))
    const { questions, answers, status } = document
    const body = { toolCallId: 'toolu_1', questions, answers }
    await addFile('run-answer-route.mjs')
    const response = await execute('node', ['run-answer-route.mjs', JSON.stringify(body)], project)
    expect(JSON.parse(response)).toEqual({ status: 200, body: { success: true } })
    const path = join(project, 'workspace/.sandagent/approvals/toolu_1.json')
    const { timestamp, ...written } = JSON.parse(await readFile(path, 'utf8'))
    expect(written).toMatchObject({ questions, answers, status })
    expect(Object.keys(written.questions[0])).toEqual(Object.keys(questions[0]))
    expect(new Date(timestamp).toISOString()).toBe(timestamp)

    await addFile('render-ui.mjs')
    expect(await execute('node', ['render-ui.mjs'], project)).toBe('rendered: \n')
  })
})

describe('the test kit of the packed packages', () => {
  it('tests an agent with Node alone', async () => {
    await copyFile(join(root, 'examples/testing/agent.test.mjs'), join(project, 'agent.test.mjs'))
    const report = await execute('node', ['--test', '--test-reporter=tap', 'agent.test.mjs'], project)
    expect(report).toMatch(/^# pass 2$/m)
  })
})

describe('the code in docs against the packed packages', { timeout: PATIENCE_MS }, () => {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })

  /** Compiles every block of TypeScript that quotes no file, each as a module of its own. */
  async function compileSamples(names: string[]): Promise<void> {
    const files: string[] = []
    for (const name of names) {
      const page = await readFile(join(root, 'docs', name), 'utf8')
      for (const [, language = '', code = ''] of page.matchAll(/^```(tsx?)\n([\s\S]*?)^```$/gm)) {
        const file = `sample-${files.length}.${language}`
        await writeFile(join(project, file), `// ${name}\n${code}\nexport {}\n`)
        files.push(file)
      }
    }
    expect(files.length).toBeGreaterThan(0)
    // The declarations of both SDKs need others that they do not bring.
    await compile(files, { ...NODENEXT, skipLibCheck: true })
  }

  it.each(['ai-5', 'ai-6'])('compiles beside %s', async (version) => {
    await useAiSdk(version)
    await compileSamples(['guides/ai-sdk.md'])
  })

  it('compiles on every page', async () => {
    await useAiSdk('ai-7')
    await link(project, '@ai-sdk/react', join(root, 'test/node_modules/ai-react-7'))
    const chats = ['chat', '@chat-adapter/telegram', '@chat-adapter/state-memory']
    for (const sdk of ['@anthropic-ai/claude-agent-sdk', ...chats])
      await link(project, sdk, join(root, 'test/node_modules', sdk))
    for (const vendor of ['@vercel/sandbox', 'e2b', 'modal'])
      await link(project, vendor, join(root, 'examples/node_modules', vendor))
    await compileSamples(pages.filter((name) => name.endsWith('.md')))
  })
})
