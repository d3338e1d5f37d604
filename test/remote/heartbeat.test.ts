import { once } from 'node:events'
import { createFakeClock } from '@sandagent/testing'
import { expect, it } from 'vitest'
import { scriptedSandbox } from '../support/remote/scripted-relay.ts'

it('a relay that talks all the time learns that its host is there', async () => {
  const clock = createFakeClock()
  let pings = 0
  let tick = (): void => {}
  const { sandbox, connections } = scriptedSandbox(
    ({ id }, say) => {
      tick = () => say(`${JSON.stringify({ id, event: { stdout: 'dGljaw==' } })}\n`)
      say(`${JSON.stringify({ id, event: { pid: 1 } })}\n`)
    },
    {
      clock,
      onPing(say) {
        pings++
        say('{"pong":true}\n')
      },
    },
  )
  const { stdout } = await sandbox.spawn('tick')
  for (let seconds = 0; seconds < 90; seconds += 10) {
    clock.advance(10_000)
    const printed = once(stdout, 'data')
    tick()
    await printed
  }
  expect(pings).toBe(2)
  expect(connections).toHaveLength(1)
})
