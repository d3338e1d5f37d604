import { AskError } from '@sandagent/core'
import { createFakeClock } from '@sandagent/core/testing'
import { expect, it } from 'vitest'
import { catchUp } from '../../src/start/catch-up.ts'
import type { Desk } from '../../src/start/notices-options.ts'

/** Looks after one question whose sandbox is in the inbox at first. It may leave the inbox when it is asked. */
async function endedIn(isThere: boolean): Promise<string[]> {
  let sandboxes = [{ id: 'shop', name: 'The shop' }]
  const inbox = {
    sandboxes: async () => sandboxes,
    async find() {
      if (!isThere) sandboxes = []
      throw new AskError('NOT_FOUND', 'It is not there')
    },
  }
  const ended: string[] = []
  const sent = { all: async () => [], remove: async () => {} }
  const desk = { inbox, sent, clock: createFakeClock(), signal: new AbortController().signal }
  const waiting = new Map([['key', { sandboxId: 'shop', toolCallId: 'q' }]])
  const onEnded = (key: string, { state }: { state: string }): void => void ended.push(`${key} ${state}`)
  await catchUp(waiting, onEnded, desk as unknown as Desk)
  return ended
}

it('a question that its sandbox does not have has gone', async () => {
  expect(await endedIn(true)).toEqual(['key gone'])
})

it('a question whose sandbox leaves the inbox at that moment has not', async () => {
  expect(await endedIn(false)).toEqual([])
})
