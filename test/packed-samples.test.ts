import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../scripts/run.mjs'
import { execute, link, packedProject } from './support/packed-project.ts'

const fixture = (name: string): string => join(root, 'test/fixtures', name)
const tsc = join(root, 'node_modules/.bin/tsc')

let project: string

beforeAll(async () => {
  project = await packedProject()
  await copyFile(fixture('answer-route.ts.txt'), join(project, 'answer-route.ts'))
  await copyFile(fixture('ask-user-question-ui.tsx.txt'), join(project, 'ask-user-question-ui.tsx'))
  await link(project, '@types/node', join(root, 'node_modules/@types/node'))
  for (const name of ['react', 'react-dom', '@types/react'])
    await link(project, name, join(root, 'packages/sdk/node_modules', name))
})

afterAll(() => rm(project, { recursive: true }))

/** Compiles files of the project, as a new project is set up, into its folder `out`. */
async function compile(files: string[], options: Record<string, unknown>): Promise<void> {
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    strict: true,
    jsx: 'react-jsx',
    outDir: 'out',
    ...options,
  }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  await execute(tsc, ['-p', 'tsconfig.json'], project)
}

const NODENEXT = { module: 'nodenext', moduleResolution: 'nodenext' }
const BUNDLER = { module: 'esnext', moduleResolution: 'bundler' }

describe('the code of the SandAgent document, unchanged, against the packed packages', () => {
  it.each([
    ['nodenext', NODENEXT],
    ['bundler', BUNDLER],
  ])('compiles with the module resolution %s: the answer API', async (_, options) => {
    await compile(['answer-route.ts'], options)
  })

  it('runs: the answer API stores the file of the document', async () => {
    await compile(['answer-route.ts'], NODENEXT)
    const expected = JSON.parse(await readFile(fixture('approval.json'), 'utf8'))
    const { questions, answers, status } = expected
    await copyFile(fixture('run-answer-route.mjs.txt'), join(project, 'run.mjs'))
    const body = { toolCallId: 'toolu_1', questions, answers }
    expect(JSON.parse(await execute('node', ['run.mjs', JSON.stringify(body)], project))).toEqual({
      status: 200,
      body: { success: true },
    })
    const path = join(project, 'workspace/.sandagent/approvals/toolu_1.json')
    const { timestamp, ...written } = JSON.parse(await readFile(path, 'utf8'))
    expect(written).toMatchObject({ questions, answers, status })
    expect(Object.keys(written.questions[0])).toEqual(Object.keys(questions[0]))
    expect(new Date(timestamp).toISOString()).toBe(timestamp)
  })
})
