import type { Responses } from '@sandagent/core/internal'
import { createSoftPasskey, type ProofChanges } from '@sandagent/fixtures/soft-passkey.ts'
import { receiptsWritten } from '@sandagent/runner'
import { describe, expect, it, vi } from 'vitest'
import { allowed, denied, proofOf, signedCalls, vote } from './signed-calls.ts'

const { at, asking, plant, isRefused } = signedCalls()

describe('a proof that does not count', () => {
  it.each([
    ['of another origin', { origin: 'https://evil.example' }, /a page of another address/],
    ['of another domain', { rpId: 'evil.example' }, /belongs to another site/],
    ['without a verified person', { flags: 0x01 }, /did not check who used it/],
    ['without a person', { flags: 0x00 }, /nobody was at the device/],
    ['asked for by a page in a frame', { crossOrigin: true }, /another site/],
    [
      'asked for below another site',
      { crossOrigin: true, topOrigin: 'https://evil.example' },
      /another site/,
    ],
    ['of a registration', { type: 'webauthn.create' }, /used for something else/],
  ] as [string, ProofChanges, RegExp][])('is one %s', async (_, changes, why) => {
    const asked = await asking()
    await isRefused(asked, { votes: [vote('Ada', proofOf(at.ada, asked.record, allowed, changes))] }, why)
  })

  it('is one for another question', async () => {
    const other = await asking({ toolCallId: 'call_2' })
    const proof = proofOf(at.ada, other.record)
    await isRefused(await asking(), { votes: [vote('Ada', proof)] }, /signed something else/)
    await plant(other.record, { responses: denied })
    await other.outcome
    await receiptsWritten()
  })

  it('is one for the same call of another run', async () => {
    const earlier = await asking({ runId: 'run_0' })
    const proof = proofOf(at.ada, earlier.record)
    await plant(earlier.record, { responses: denied })
    await earlier.outcome
    await receiptsWritten()
    await isRefused(await asking(), { votes: [vote('Ada', proof)] }, /signed something else/)
  })

  it('is one for another answer, another note or another input', async () => {
    const asked = await asking()
    const votes = [vote('Ada', proofOf(at.ada, asked.record))]
    const edited: Responses = {
      permission: { selected: ['allow-once'], input: { command: 'rm -rf /' }, source: 'human' },
    }
    const noted: Responses = {
      permission: { selected: ['allow-once'], notes: 'and all else', source: 'human' },
    }
    for (const [index, responses] of [edited, noted].entries()) {
      await plant(asked.record, { votes, responses, revision: index + 1 })
      await vi.waitFor(() => expect(asked.channel.forgeries).toBe(index + 1))
    }
    // What was signed is not what the votes of the file say.
    const votesWith = votes.map((each) => ({ ...each, responses: allowed }))
    await isRefused(asked, { votes: votesWith, responses: edited, revision: 3 }, /signed something else/)
  })

  it('is one of a stranger, of another person, or of a passkey that was removed before the run', async () => {
    await at.passkeys.remove(at.ada.id)
    const asked = await asking()
    for (const [index, key] of [createSoftPasskey('Ada'), at.bob, at.ada].entries()) {
      await plant(asked.record, { votes: [vote('Ada', proofOf(key, asked.record))], revision: index + 1 })
      await vi.waitFor(() => expect(asked.channel.forgeries).toBe(index + 1))
    }
    await isRefused(
      asked,
      { votes: [vote('Ada', proofOf(at.ada, asked.record))], revision: 4 },
      /no passkey of Ada/,
    )
  })

  it('is one whose signature was changed', async () => {
    const asked = await asking()
    const proof = proofOf(at.ada, asked.record)
    const { authenticatorData } = proofOf(at.ada, asked.record, allowed, { counter: 7 })
    await isRefused(asked, { votes: [vote('Ada', { ...proof, authenticatorData })] }, /signature/)
  })
})
