import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createInbox } from '@sandagent/inbox'
import { LocalSandbox } from '@sandagent/sdk'
import { createFakeClock } from '@sandagent/testing'
import { expect, it } from 'vitest'
import { createSentNotices } from '../../src/sent/sent-notices.ts'
import { catchUp } from '../../src/start/catch-up.ts'

/**
 * Catches up with a question that was never asked. Its sandbox may leave the inbox right before it is asked for the question.
 */
async function endedIn({ leaves }: { leaves: boolean }): Promise<string[]> {
  let sandboxes = [{ id: 'shop', name: 'The shop', sandbox: new LocalSandbox({ workdir: await tempDir() }) }]
  const whole = createInbox({ sandboxes: async () => sandboxes, signingKeys: null, onWarning: () => {} })
  const inbox: Pick<typeof whole, 'sandboxes' | 'find'> = {
    sandboxes: whole.sandboxes,
    find(question) {
      if (leaves) sandboxes = []
      return whole.find(question)
    },
  }
  const ended: string[] = []
  const sent = createSentNotices(await tempDir(), { onWarning: () => {} })
  const desk = { inbox, sent, clock: createFakeClock(), signal: new AbortController().signal }
  const waiting = new Map([['key', { sandboxId: 'shop', toolCallId: 'q' }]])
  await catchUp(waiting, (key, { state }) => ended.push(`${key} ${state}`), desk)
  return ended
}

it('a question that its sandbox does not have has gone', async () => {
  expect(await endedIn({ leaves: false })).toEqual(['key gone'])
})

it('a question whose sandbox leaves the inbox at that moment has not gone', async () => {
  expect(await endedIn({ leaves: true })).toEqual([])
})
