// @vitest-environment jsdom

import { createElicitationHandler } from '@sandagent/runner/mcp-client'
import { createAnswerHandler } from '@sandagent/sdk'
import { AskUserQuestion } from '@sandagent/sdk/react'
import { createToolParts } from '@sandagent/testing'
import { cleanup, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createElement } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { asked, channelOf, connect, startProgram, tempSandbox } from '../support/mcp.ts'
import { serve } from '../support/servers/serve.ts'
import {
  ANSWERS,
  capabilities,
  everything,
  rawResult,
  type ToolResult,
  VALUES,
} from '../support/servers/server-everything.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** The real server, its call under way, and the form on a page for what it asks. */
async function openForm(tool: string, args: object = {}) {
  // What a real server sends comes when it comes, outside of any act().
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  const sandbox = await tempSandbox()
  const answerEndpoint = `${await serve(createAnswerHandler({ sandbox }))}/api/answer`
  const handler = createElicitationHandler({ channel: channelOf(sandbox), serverName: 'everything' })
  const client = await connect(startProgram(everything), { capabilities }, (connecting) =>
    connecting.setRequestHandler('elicitation/create', handler),
  )
  // A person may take longer than the 60 s that the client waits by itself.
  const patient = { timeout: 600_000 }
  const result = client.callTool({ name: tool, arguments: { ...args } }, patient) as Promise<ToolResult>
  result.catch(() => {})
  const { toolCallId, questions } = await asked(sandbox)
  const part = createToolParts(questions, { toolCallId, toolName: 'elicitation/create' }).waiting()
  render(createElement(AskUserQuestion, { part, answerEndpoint, layout: 'all' }))
  await vi.waitFor(() =>
    expect(screen.getByRole('button', { name: 'Decline' }).matches(':disabled')).toBe(false),
  )
  /** Enters an answer as a person does. */
  const enter = async (
    id: string,
    { selected = [], freeText = '' }: { selected?: string[]; freeText?: string },
  ) => {
    const position = questions.findIndex((question) => question.id === id)
    const field = document.querySelector<HTMLElement>(`[data-position="${position}"]`) as HTMLElement
    for (const value of selected) {
      const option = questions[position]?.options?.find(({ label, value: its = label }) => its === value)
      await userEvent.click(within(field).getByLabelText(option?.label ?? ''))
    }
    if (freeText === '') return
    // A field of a date has no role, and the fields of numbers and dates are loaded on demand.
    const input = await vi.waitFor(() => {
      const found = field.querySelector('textarea, input:not([type=radio], [type=checkbox])')
      return found ?? expect.fail('The field is not there yet')
    })
    await userEvent.type(input, freeText)
  }
  const send = () => userEvent.click(screen.getByRole('button', { name: /^Send/ }))
  return { result, enter, send }
}

it('takes thirteen fields of server-everything in the form, and gives it each in its own type', async () => {
  const { result, enter, send } = await openForm('trigger-elicitation-request')
  for (const [id, answer] of Object.entries(ANSWERS)) await enter(id, answer)
  await send()
  expect(rawResult(await result)).toEqual({ action: 'accept', content: VALUES })
})

it('shows the page that server-everything wants opened, and takes the consent in the form', async () => {
  const url = 'https://example.com/login?next=%2F'
  const { result, enter } = await openForm('trigger-url-elicitation', { url })
  expect(document.body.textContent).toContain(url)
  await enter('q1', { selected: ['accept'] })
  expect((await result).content[0]?.text).toContain('User completed the URL elicitation flow')
})
