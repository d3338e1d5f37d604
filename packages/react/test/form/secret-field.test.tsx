import { screen } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openForm, serverForEach } from './form-fixture.tsx'

serverForEach()

it('the field for a secret is not there on a page that cannot encrypt', async () => {
  vi.stubGlobal('crypto', {})
  onTestFinished(() => void vi.unstubAllGlobals())
  await openForm([{ question: 'The token?', secret: true }])
  await screen.findByText(/This page cannot encrypt/)
  expect(screen.queryByLabelText(/The token/)).toBeNull()
})
