import {
  AskError,
  challengeOf,
  type PasskeyProof,
  type QuestionView,
  type Responses,
  signedDecision,
  signedDigest,
} from '@sandagent/core/internal'
import { startAuthentication, WebAuthnError } from '@simplewebauthn/browser'

/**
 * Lets the person's passkey sign an answer. The browser asks the person.
 *
 * @param view what the host shows of the question; it has a `passkey`
 * @param responses exactly as they are sent
 * @throws AskError `PASSKEY_NEEDED` when the person or the browser does not go on: nothing was sent then. Its facts have
 *   `isWrongSite`
 */
export async function signWithPasskey(
  view: Pick<QuestionView, 'toolCallId' | 'questionDigest' | 'passkey'>,
  responses: Readonly<Responses>,
): Promise<PasskeyProof> {
  const { toolCallId, questionDigest, passkey } = view
  if (!passkey || questionDigest === undefined)
    throw new AskError('PASSKEY_NEEDED', 'No passkey of this person counts for this question')
  const { rpId, ids, asked } = passkey
  try {
    const { id, response } = await startAuthentication({
      optionsJSON: {
        challenge: challengeOf(
          signedDigest(signedDecision({ toolCallId, questionDigest, asked }, responses)),
        ),
        rpId,
        allowCredentials: ids.map((each) => ({ id: each, type: 'public-key' })),
        userVerification: 'required',
      },
    })
    const { clientDataJSON, authenticatorData, signature } = response
    return { id, clientDataJSON, authenticatorData, signature }
  } catch (cause) {
    const isWrongSite = cause instanceof WebAuthnError && /DOMAIN|RP_ID/.test(cause.code)
    throw new AskError('PASSKEY_NEEDED', 'The passkey was not used', { cause, facts: { isWrongSite } })
  }
}
