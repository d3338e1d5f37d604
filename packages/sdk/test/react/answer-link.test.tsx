import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ToolPart } from '@sandagent/core'
import { FEATURES, LANGUAGE, questionCard } from '@sandagent/fixtures/question-card.tsx'
import { useAskUserQuestion } from '@sandagent/react'
import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import {
  createAnswerHandler,
  createAnswerLink,
  createSigningKey,
  LocalSandbox,
  parseSigningKeys,
  toNodeHandler,
} from '../../src/index.ts'
import { ask } from '../support/temp-sandbox.ts'

const page = 'https://app.example/answer'
const toolCallId = 'toolu_1'

const QuestionCard = questionCard(useAskUserQuestion)

let sandbox: LocalSandbox
let server: Server
let link: string

// What a real server sends comes when it comes, outside of any act().
beforeAll(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false))
afterAll(() => vi.unstubAllGlobals())

beforeEach(async () => {
  sandbox = new LocalSandbox({ workdir: await mkdtemp(join(tmpdir(), 'sandagent-link-')) })
  const signingKeys = await parseSigningKeys(await createSigningKey())
  server = createServer(toNodeHandler(createAnswerHandler({ sandbox, signingKeys, links: { page } })))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  await ask(sandbox, toolCallId, [LANGUAGE, FEATURES])
  link = await createAnswerLink(sandbox, { toolCallId, page, answeredBy: 'ada' }, { signingKeys })
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  await rm(sandbox.workdir, { recursive: true, maxRetries: 10 })
})

/** The page behind the link, as docs/guides/who-may-answer.md tells: it knows nothing but what stands behind the `#`. */
function LinkedPage({ hash }: { hash: string }) {
  const known = new URLSearchParams(hash.slice(1))
  const part: ToolPart = {
    type: 'tool-AskUserQuestion',
    toolCallId: known.get('toolCallId') ?? '',
    state: 'input-available',
    input: {},
  }
  const answerEndpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/answer`
  const headers = { authorization: `Bearer ${known.get('token')}` }
  return <QuestionCard part={part} answerEndpoint={answerEndpoint} headers={headers} />
}

it('lets whoever has the link answer its question, from nothing but the link', async () => {
  render(<LinkedPage hash={new URL(link).hash} />)
  await userEvent.click(await screen.findByLabelText('Python'))
  await userEvent.click(screen.getByLabelText('Tests'))
  await userEvent.click(screen.getByRole('button', { name: 'Submit' }))
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('sent'))
  const answerFile = JSON.parse((await sandbox.files.read(`.sandagent/approvals/${toolCallId}.json`)) ?? '')
  expect(answerFile).toMatchObject({ status: 'completed', answeredBy: 'ada' })
})

it('shows nothing in another browser after that', async () => {
  const first = render(<LinkedPage hash={new URL(link).hash} />)
  await userEvent.click(await screen.findByLabelText('Python'))
  await userEvent.click(screen.getByRole('button', { name: 'Decline' }))
  await waitFor(async () =>
    expect(await sandbox.files.read(`.sandagent/approvals/${toolCallId}.json`)).toContain('declined'),
  )
  first.unmount()
  // Another browser.
  localStorage.clear()
  sessionStorage.clear()
  render(<LinkedPage hash={new URL(link).hash} />)
  await userEvent.click(screen.getByRole('button', { name: 'Decline' }))
  await waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(/link used up/))
  expect(screen.queryByLabelText('Python')).toBeNull()
})
