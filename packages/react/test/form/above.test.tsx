import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { NAME, openForm, serverForEach, status } from './form-fixture.tsx'

const loaded = vi.hoisted(() => vi.fn())
vi.mock('../../src/form/above.tsx', (load) => {
  loaded()
  return load()
})

serverForEach()

it('loads what stands above a question only once nobody waits for its answer', async () => {
  const form = await openForm([NAME])
  await form.show({ comesBack: true })
  await status('The agent waits for you')
  expect(loaded).not.toHaveBeenCalled()
  await form.show({ comesBack: true, runEnded: true })
  await screen.findByText('The agent is not here now. It looks for your answer when it is back')
})
