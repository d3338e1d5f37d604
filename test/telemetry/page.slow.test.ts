import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { askUser, receiptsWritten } from '@sandagent/runner'
import { createAnswerHandler, LocalSandbox, toNodeHandler } from '@sandagent/sdk'
import { press } from '@sandagent/testing/playwright'
import { rolldown } from 'rolldown'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'
import { startCollector } from '../support/telemetry/collector.mjs'

const QUESTIONS = [{ id: 'q', question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }]
const PART = { type: 'dynamic-tool', toolName: 'AskUserQuestion', toolCallId: 'toolu_1' }
const SHOW = `
import { createRoot } from 'react-dom/client'
import './tracing.ts'
import { Question } from './question.tsx'

const part = ${JSON.stringify({ ...PART, state: 'input-available', input: { questions: QUESTIONS } })} as const
createRoot(document.body).render(<Question part={part} />)
`

/** Bundles the page of the guide: what starts the SDK, and the form. Its spans go to the collector at `url`. */
async function guidedPage(url: string): Promise<string> {
  const guide = await readFile(join(root, 'docs/guides/telemetry.md'), 'utf8')
  const [, page = ''] = guide.split('## In the page')
  const [tracing = '', question = ''] = Array.from(
    page.matchAll(/^```tsx?\n([\s\S]*?)^```$/gm),
    ([, code]) => code,
  )
  expect(tracing).toContain('http://localhost:4318')
  const folder = await tempDir()
  await writeFile(join(folder, 'tracing.ts'), tracing.replace('http://localhost:4318', url))
  await writeFile(join(folder, 'question.tsx'), question)
  await writeFile(join(folder, 'show.tsx'), SHOW)
  const build = await rolldown({
    input: join(folder, 'show.tsx'),
    platform: 'browser',
    resolve: { modules: ['node_modules', join(root, 'test/node_modules')] },
    transform: { jsx: 'react-jsx', define: { 'process.env.NODE_ENV': '"production"' } },
    logLevel: 'silent',
  })
  const { output } = await build.generate({ format: 'esm', codeSplitting: false })
  await build.close()
  return output[0].code
}

describe.skipIf(!chromiumPath)('the page of the guide', () => {
  const browser = sharedChromium()

  it('sends a span of its answer to a collector, and the host goes on with that trace', async () => {
    // A stand-in: it takes what the SDK of OpenTelemetry sends, as OTLP over HTTP.
    const collector = await startCollector()
    onTestFinished(() => collector.close())
    const workdir = await tempDir()
    const request = { toolCallId: PART.toolCallId, questions: QUESTIONS, runId: 'run-1' }
    const outcome = askUser(createFileRunnerChannel({ workdir }), request)

    const script = await guidedPage(collector.url)
    const api = toNodeHandler(
      createAnswerHandler({ sandbox: new LocalSandbox({ workdir }), authorize: () => true }),
    )
    const sent: string[] = []
    const server = createServer((request, response) => {
      if (request.url?.startsWith('/api/answer')) {
        if (request.method === 'POST') sent.push(String(request.headers.traceparent))
        return void api(request, response)
      }
      const isScript = request.url === '/page.js'
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
      response.end(isScript ? script : '<!doctype html><body><script type="module" src="/page.js"></script>')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })

    const page = await browser().newPage()
    onTestFinished(() => page.close())
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    await press(page.getByRole('radio', { name: 'Red' }))
    expect((await outcome).kind).toBe('answered')
    await receiptsWritten()

    await vi.waitFor(() => expect(collector.spans.length).toBe(sent.length), { timeout: 60_000 })
    const spans = collector.spans.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`)
    expect(new Set(spans)).toEqual(new Set(sent))
    for (const span of collector.spans)
      expect(span).toMatchObject({ service: 'page', name: 'sandagent.send_answer' })
  })
})
