import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { type AskMcpServer, createAskMcpServer } from '@sandagent/runner/mcp'
import { describe, expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { channelOf, serveHttp, tempSandbox } from '../support/mcp.ts'

const globSync = fileURLToPath(new URL('../support/programs/fs-glob-sync.mjs', import.meta.url))
const client = fileURLToPath(new URL('../support/programs/conformance-client.mjs', import.meta.url))
const conformance = join(root, 'test/node_modules/@modelcontextprotocol/conformance/dist/index.js')

/** Runs MCP's own conformance tests; resolves to what they print, without colours. */
const run = (...args: string[]): Promise<string> =>
  new Promise((resolve) => {
    const options = ['--import', globSync, conformance, ...args, '--timeout', '90000']
    execFile(process.execPath, options, { cwd: tmpdir() }, (_, stdout, stderr) =>
      resolve(stripVTControlCharacters(`${stdout}${stderr}`)),
    )
  })

describe('createElicitationHandler in the scenario', () => {
  it.each([
    ['elicitation-sep1034-client-defaults', '2025-11-25'],
    ['sep-2322-client-request-state', '2026-07-28'],
  ])('%s', async (scenario, version) => {
    const command = `${process.execPath} ${client}`
    const options = ['--command', command, '--scenario', scenario, '--spec-version', version]
    expect(await run('client', ...options)).toMatch(/Passed: 5\/5, 0 failed, 0 warnings\s+✅ OVERALL: PASSED/)
  })
})

const NAME = { question: 'What is your name?' }
/** The tools that scenarios call, as questions that ours can ask. */
const QUESTIONS: Record<string, object[]> = {
  test_elicitation: [NAME, { question: 'What is your e-mail address?' }],
  test_input_required_result_elicitation: [NAME],
}

/** The same server with the names that the scenarios expect: of its tool, of the form, and of the field in it. */
function renamed(server: AskMcpServer): AskMcpServer {
  return {
    ...server,
    async fetch(request) {
      const text = await request.text()
      const questions = QUESTIONS[/"name":"(\w+)"/.exec(text)?.[1] ?? '']
      if (request.method !== 'POST' || !questions) return server.fetch(copy(request, text))
      const message = JSON.parse(text.replaceAll('"user_name":', '"answer":'))
      const content = message.params.inputResponses?.answer?.content
      if (content) message.params.inputResponses.answer.content = { question_1: content.name }
      message.params.name = 'ask_user_question'
      message.params.arguments = { questions }
      const response = await server.fetch(copy(request, JSON.stringify(message), message.params.name))
      if (!request.headers.has('mcp-name')) return response // Of 2025: its form is sent while the call waits.
      return new Response((await response.text()).replaceAll('"answer":{', '"user_name":{'), response)
    },
  }
}

function copy(request: Request, text: string, name?: string): Request {
  const headers = new Headers(request.headers)
  headers.delete('content-length')
  if (name !== undefined && headers.has('mcp-name')) headers.set('mcp-name', name)
  const { method, signal } = request
  return new Request(request.url, { method, signal, headers, ...(text !== '' && { body: text }) })
}

async function runServer(scenario: string, version: string): Promise<string> {
  const channel = channelOf(await tempSandbox())
  const url = await serveHttp(renamed(createAskMcpServer({ channel, via: 'auto' })))
  return run('server', '--url', url.href, '--scenario', scenario, '--spec-version', version)
}

// Of the scenarios with elicitations, those are left out that need tools with other fields than questions have (numbers,
// booleans, choices without titles), several rounds, or sampling beside the form.
describe('createAskMcpServer in the scenario', () => {
  it.each([
    ['server-initialize', '2025-11-25'],
    ['server-session-lifecycle', '2025-11-25'],
    ['tools-list', '2025-11-25'],
    ['tools-call-elicitation', '2025-11-25'],
    ['dns-rebinding-protection', '2025-11-25'],
    ['tools-list', '2026-07-28'],
    ['dns-rebinding-protection', '2026-07-28'],
    ['http-header-validation', '2026-07-28'],
    ['input-required-result-basic-elicitation', '2026-07-28'],
    ['input-required-result-missing-input-response', '2026-07-28'],
    ['input-required-result-ignore-extra-params', '2026-07-28'],
    ['input-required-result-validate-input', '2026-07-28'],
    ['input-required-result-result-type', '2026-07-28'],
    ['input-required-result-unsupported-methods', '2026-07-28'],
  ])('%s of %s', async (scenario, version) => {
    expect(await runServer(scenario, version)).toMatch(/Passed: (\d+)\/\1, 0 failed, 0 warnings/)
  })

  it('server-stateless of 2026-07-28, as far as it needs no tools that are there for tests alone', async () => {
    const output = await runServer('server-stateless', '2026-07-28')
    expect(output).toContain('Passed: 24/28, 4 failed, 0 warnings')
    expect(output.match(/Error: Not testable: server does not list the diagnostic tool/g)).toHaveLength(4)
  })
})
