import type { Outcome, Question, Responses } from '@sandagent/core'
import { formatResult, parseRequest } from '@sandagent/core/dialects/mcp'
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { completed, openForm, option, press, serverForEach, textbox } from './form-fixture.tsx'

serverForEach()

const TRIP = {
  message: 'Tell us about your trip.',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Your whole name' },
      terms: { type: 'boolean', description: 'Do you agree to the terms?' },
      nights: { type: 'integer', title: 'Nights', minimum: 1, maximum: 30 },
      meals: {
        type: 'array',
        title: 'Meals',
        items: {
          anyOf: [
            { const: 'b', title: 'Breakfast' },
            { const: 'd', title: 'Dinner' },
          ],
        },
        maxItems: 2,
      },
      seat: { type: 'string', title: 'Seat', enum: ['w', 'a'], enumNames: ['Window', 'Aisle'], default: 'w' },
    },
    required: ['name', 'terms'],
  },
}

/** What the server that sent the form gets. */
const resultOf = (responses: Responses): unknown => {
  const outcome = { kind: 'answered', responses } as Outcome
  return formatResult(outcome, TRIP)
}

it('takes the answers to the form of an MCP server, and each arrives in its own type', async () => {
  await openForm(parseRequest(TRIP, { from: 'travel' }) as Question[], { layout: 'all' })
  expect(screen.getByText(/^travel: Tell us about your trip\./)).toBeTruthy()
  await userEvent.type(textbox('travel: Tell us about your trip.'), 'Zoë')
  await userEvent.click(option('No'))
  await userEvent.type(await screen.findByRole('spinbutton', { name: /^Nights/ }), '7')
  await userEvent.click(option('Dinner'))
  await userEvent.click(option('Breakfast'))
  await press('Send answer')
  const { responses = {} } = await completed()
  expect(resultOf(responses as Responses)).toEqual({
    action: 'accept',
    content: { name: 'Zoë', terms: false, nights: 7, meals: ['d', 'b'], seat: 'w' },
  })
})
