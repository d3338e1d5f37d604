import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Outcome, Question } from '@sandagent/core'
import { askUser } from '@sandagent/runner'
import { createAnswerHandler, listQuestions, toNodeHandler } from '@sandagent/sdk'
import { build } from 'vite'
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { describeInEngines } from '../support/engines/engines.ts'
import { createWorkspace } from '../support/workspace.ts'

const LANGUAGE: Question = {
  question: 'Which language?',
  options: [{ label: 'TypeScript' }, { label: 'Python' }, { label: 'Rust' }],
}
const FEATURES: Question = {
  question: 'Which features?',
  options: [{ label: 'Tests' }, { label: 'Docs' }],
  multiSelect: true,
}

let script = ''
beforeAll(async () => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    // Vitest's environment is none of production. React's production build cannot run what JSX becomes in development.
    oxc: { jsx: { development: false } },
    build: {
      write: false,
      rolldownOptions: {
        input: join(root, 'test/support/engines/own-form.tsx'),
        // The page has one script.
        output: { codeSplitting: false },
      },
    },
  })
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  script = outputs.map((each) => ('code' in each ? each.code : '')).join('')
})

/** Serves the page of a call, which an agent asks when it is told to. */
async function serve() {
  const { sandbox, channel } = await createWorkspace()
  const stop = new AbortController()
  const asked: Promise<Outcome>[] = []
  onTestFinished(async () => {
    stop.abort()
    await Promise.all(asked)
  })
  const answers = toNodeHandler(createAnswerHandler({ sandbox }))
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    if (pathname === '/api/answer') return answers(request, response)
    const isScript = pathname === '/form.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(
      isScript ? script : '<!doctype html><title>Ask</title><script type="module" src="/form.js"></script>',
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    sandbox,
    urlOf: (query: Record<string, string>) =>
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/?${new URLSearchParams(query)}`,
    ask(toolCallId: string, ...questions: Question[]) {
      const outcome = askUser(channel, { toolCallId, runId: 'run-1', questions }, { signal: stop.signal })
      asked.push(outcome)
      return outcome
    },
  }
}

describeInEngines('a form of one’s own', (openTab) => {
  it('says that nobody has asked its question, and is answered by keys once an agent does', async () => {
    const { ask, urlOf } = await serve()
    const tab = await openTab()
    await tab.driver.goto(urlOf({ call: 'call-1' }))
    await tab.reads('Nobody has asked this question yet')

    const outcome = ask('call-1', LANGUAGE, FEATURES, { question: 'Which name?' })
    await tab.tabTo('radio', 'TypeScript')
    await tab.press('ArrowDown')
    await tab.see({ role: 'radio', name: 'Python' }, ({ isChecked, hasFocus }) => isChecked && hasFocus)
    await tab.tabTo('checkbox', 'Docs')
    await tab.press('Space')
    await tab.see({ role: 'checkbox', name: 'Docs' }, ({ isChecked }) => isChecked)
    await tab.see({ role: 'group', name: 'Which features?' })
    await tab.tabTo('textbox', 'Which name?')
    await tab.type('Sandy')
    await tab.press('Enter')
    expect((await outcome).kind).toBe('answered')
    expect(await outcome).toMatchObject({
      responses: { q1: { selected: ['Python'] }, q2: { selected: ['Docs'] }, q3: { freeText: 'Sandy' } },
    })
    await tab.reads('received')
    await tab.see({ role: 'textbox', name: 'Which name?' }, ({ isEnabled }) => !isEnabled)
  })

  it('sends nothing while arrow keys pass options, and sends what a click on a label picks', async () => {
    const { sandbox, ask, urlOf } = await serve()
    const outcome = ask('call-1', LANGUAGE)
    const tab = await openTab()
    await tab.driver.goto(urlOf({ call: 'call-1', autoSubmit: 'immediately' }))
    await tab.tabTo('radio', 'TypeScript')
    for (const name of ['Python', 'Rust']) {
      await tab.press('ArrowDown')
      await tab.see({ role: 'radio', name }, ({ isChecked }) => isChecked)
    }
    await vi.waitFor(async () => {
      const [question] = await listQuestions(sandbox)
      expect(question).toMatchObject({ state: 'open', responses: { q1: { selected: ['Rust'] } } })
    })
    await tab.reads('waiting')
    const { x, y } = await tab.driver.run(() => {
      const { right, top, height } = (document.querySelector('label') as HTMLElement).getBoundingClientRect()
      return { x: right - 4, y: top + height / 2 }
    })
    await tab.driver.moveTo(x, y)
    await tab.driver.mouseDown()
    await tab.driver.mouseUp()
    expect(await outcome).toMatchObject({ kind: 'answered', responses: { q1: { selected: ['TypeScript'] } } })
  })
})
