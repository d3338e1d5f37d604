import { spawn } from 'node:child_process'
import { copyFile, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox, listQuestions, submitAnswer } from '@sandagent/sdk'
import { expect, it, onTestFinished, vi } from 'vitest'
import { prepareRelease } from '../../scripts/prepare-release.mjs'
import { root } from '../../scripts/run.mjs'
import { execute, packedProject } from '../support/packed-project.ts'

const readJson = async (path: string) => JSON.parse(await readFile(path, 'utf8'))

it('the next release has one version and a change log, and its packages ask in a fresh project', {
  timeout: 600_000,
}, async () => {
  const { code, version, archives, copy } = await prepareRelease(await tempDir())
  expect(code).toBe(0)
  expect(version).not.toBe((await readJson(join(root, 'packages/cli/package.json'))).version)
  expect(await readFile(join(copy, 'packages/cli/CHANGELOG.md'), 'utf8')).toContain(`## ${version}\n`)

  const project = await packedProject(async () => archives)
  onTestFinished(() => rm(project, { recursive: true, maxRetries: 10 }))
  const { dependencies } = await readJson(join(project, 'node_modules/@sandagent/runner/package.json'))
  expect(dependencies).toMatchObject({ '@sandagent/core': version, '@sandagent/files': version })
  const main = join(project, 'node_modules/sandagent/dist/main.js')
  expect(await execute(process.execPath, [main, '--version'], project)).toBe(`${version}\n`)

  await copyFile(join(root, 'examples/start/express/workspace/agent.mjs'), join(project, 'agent.mjs'))
  const agent = spawn(process.execPath, [main, 'run', 'node', 'agent.mjs'], { cwd: project })
  onTestFinished(() => void agent.kill('SIGKILL'))
  const printed = text(agent.stdout)
  const sandbox = new LocalSandbox({ workdir: project, isolation: 'none' })
  const [question] = await vi.waitFor(async () => {
    const questions = await listQuestions(sandbox)
    expect(questions).toHaveLength(1)
    return questions
  })
  await submitAnswer(sandbox, {
    toolCallId: question?.toolCallId ?? '',
    answers: { 'Where to?': 'Staging' },
  })
  expect(await printed).toContain('I deploy to Staging.')
})
