// @vitest-environment jsdom

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createAnswerHandler } from '@sandagent/sdk'
import { ToolApproval, type ToolPart } from '@sandagent/sdk/react'
import { createToolParts } from '@sandagent/testing'
import { cleanup, configure, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createElement } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { createClaudeWorkspace } from '../support/models/claude-workspace.ts'
import { call } from '../support/models/messages-api.ts'
import { serve } from '../support/servers/serve.ts'

// A busy machine is slow, see test/support/setup/patience.ts.
configure({ asyncUtilTimeout: 30_000 })

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** The real binary that asks for a permission, and the page on which it is decided. */
async function openPermission() {
  // What a real server sends comes when it comes, outside of any act().
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  const touch = call('Bash', { command: 'touch made.txt && echo done', description: 'Make a file' })
  const { sandbox, api, start, asked } = await createClaudeWorkspace([[touch]])
  const origin = await serve(
    createAnswerHandler({ sandbox, authorize: () => ({ answeredBy: 'somebody@example.org' }) }),
  )
  const run = start()
  await asked(touch.id)
  const show = (part: Partial<ToolPart>): void => {
    const call = { toolName: 'Bash', toolCallId: touch.id, input: { command: 'ls' } }
    const shown: ToolPart = { ...createToolParts([], call).waiting(), ...part }
    render(createElement(ToolApproval, { part: shown, answerEndpoint: `${origin}/api/answer` }))
  }
  show({})
  const region = await screen.findByRole('region', { name: 'The agent asks for permission: Bash' })
  await waitFor(() => expect(screen.getByRole('button', { name: 'Deny' }).matches(':disabled')).toBe(false))
  return { region, run, api, touch, show, isMade: () => existsSync(join(sandbox.workdir, 'made.txt')) }
}

it('shows the call that the binary asks about, whatever the message says, and denies it', async () => {
  const { region, run, api, touch, show, isMade } = await openPermission()
  expect([...region.querySelectorAll('pre')].map(({ textContent }) => textContent)).toEqual([
    'touch made.txt && echo done',
    'Bash',
  ])
  expect(region.textContent).toMatch(/It asks becauseThis path made it ask: ".*made\.txt"/)
  expect(region.textContent).toContain('The agent saysMake a file')
  await userEvent.tab()
  await userEvent.keyboard('Not in here')
  await userEvent.tab()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Deny' }))
  await userEvent.keyboard('1y')
  expect(isMade()).toBe(false)
  await userEvent.keyboard('{Enter}')
  await run.ended
  expect(isMade()).toBe(false)
  const errorText = api.resultOf(touch.id)?.text ?? ''
  expect(errorText).toContain('Bash was not run. The user denied it, saying "Not in here".')

  cleanup()
  show({ state: 'output-error', errorText })
  await waitFor(() => expect(screen.getByRole('region').textContent).toContain('touch made.txt && echo done'))
  expect(screen.getByRole('region').textContent).toMatch(/^Denied by somebody@example\.org · .*Not in here/)
})

it('lets the call run that is allowed, and tells so after a reload', async () => {
  const { run, api, touch, show, isMade } = await openPermission()
  await userEvent.click(screen.getByRole('button', { name: 'Allow once' }))
  await run.ended
  expect(api.resultOf(touch.id)).toEqual({ text: 'done', isError: false })
  expect(isMade()).toBe(true)

  cleanup()
  show({ state: 'output-available', output: 'done' })
  await screen.findByRole('region', { name: 'The agent asked for permission: Bash' })
  expect(screen.getByRole('region').textContent).toMatch(/^Allowed once by somebody@example\.org · /)
  expect(screen.queryByRole('button')).toBeNull()
})
