import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { listQuestions, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { findCommand } from '../../scripts/find-command.mjs'
import { root } from '../../scripts/run.mjs'
import { tempSandbox } from '../support/workspace.ts'

const runner = JSON.stringify(join(root, 'packages/runner/dist/index.js'))
const BELOW = `import { ask } from ${runner}
console.log('told', await ask('Below?', ['Yes'], { id: 'below' }))`

/** What an agent in each language does with the program below it. */
const LANGUAGES = [
  {
    language: 'sh',
    helper: 'sh/ask.sh',
    begin: '. ./ask.sh',
    captures: 'said=$(node below.mjs); echo "heard $said"',
    'gives it no input': 'node below.mjs </dev/null',
    'starts it in the background': 'node below.mjs & wait',
    'starts it in another folder': 'cd sub; said=$(node ../below.mjs); echo "heard $said"',
    'shares its input and output with it': 'node below.mjs',
    nested: 'said=$(sh -c ". ./ask.sh; ask Nobody?" 2>&1); echo "heard $said"',
  },
  {
    language: 'python3',
    helper: 'python/ask.py',
    begin: 'import subprocess, ask',
    captures: "print(subprocess.run(['node', 'below.mjs'], capture_output=True, text=True).stdout)",
    'gives it no input': "subprocess.run(['node', 'below.mjs'], stdin=subprocess.DEVNULL)",
    'starts it in the background': "subprocess.Popen(['node', 'below.mjs'], stdin=subprocess.DEVNULL).wait()",
    'starts it in another folder':
      "print(subprocess.run(['node', '../below.mjs'], cwd='sub', capture_output=True, text=True).stdout)",
    'shares its input and output with it': "subprocess.run(['node', 'below.mjs'])",
    nested:
      "print('heard', subprocess.run(['python3', '-c', 'import ask; ask.ask(\"Nobody?\")'], capture_output=True, text=True).stderr)",
  },
] as const

async function start(language: string, helper: string, script: string) {
  const sandbox = await tempSandbox()
  const { workdir } = sandbox
  await mkdir(join(workdir, 'sub'))
  await copyFile(join(root, 'examples/start', helper), join(workdir, helper.split('/')[1] as string))
  await writeFile(join(workdir, 'below.mjs'), BELOW)
  await writeFile(join(workdir, 'agent'), script)
  const args = [join(root, 'packages/cli/dist/main.js'), 'run', '--workdir', workdir, '--run-id', 'r']
  const child = spawn(process.execPath, [...args, '--', language, 'agent'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  return { sandbox, said: text(child.stdout) }
}

describe.each(LANGUAGES.filter(({ language }) => findCommand(language)))(
  'an agent in $language, whose helper is loaded',
  ({ language, helper, begin, ...how }) => {
    it.each([
      ['captures', /^(?!r-)/],
      ['gives it no input', /^(?!r-)/],
      ['starts it in the background', /^(?!r-)/],
      ['starts it in another folder', /^(?!r-)/],
      ['shares its input and output with it', /^r-below$/],
    ] as const)('%s: a JavaScript program is heard', async (way, id) => {
      const { sandbox, said } = await start(language, helper, `${begin}\n${how[way]}\n`)
      const [view] = await vi.waitFor(async () => {
        const views = await listQuestions(sandbox)
        expect(views).toMatchObject([{ toolCallId: expect.stringMatching(id) }])
        return views
      })
      await submitAnswer(sandbox, { toolCallId: view?.toolCallId ?? '', answers: { 'Below?': 'Yes' } })
      expect(await said).toContain('told Yes')
    })

    it('is told that nobody hears a program in its language whose output it captures', async () => {
      const { said } = await start(language, helper, `${begin}\n${how.nested}\n`)
      expect(await said).toMatch(/heard Nobody hears the question/)
    })
  },
)
