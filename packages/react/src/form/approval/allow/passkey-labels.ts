import { ignoredText } from '@sandagent/core/internal'

/** The texts of `<ToolApproval>` where a passkey must sign, in English. */
export const englishPasskeyLabels = {
  passkeyAsked: 'Your passkey confirms that you allow it.',
  /** The person has none that the run knows, or this page cannot use it. */
  passkeyNone:
    'Only a passkey allows this, and this run knows none of yours. Register one in the settings of the inbox. If you did, this run was started before: start it again. You can deny it.',
  passkeyWaits: 'Confirm with your passkey.',
  passkeyCancelled:
    'The passkey was not used, so nothing was sent. Browsers ask for it only on a page that is in front: stay here, and press the button again.',
  /** Somebody stored an answer that allows it without a passkey. */
  passkeyMissing: `${ignoredText({ ignored: true, rule: { passkey: true } })}.`,
  passkeyWrongSite: 'This page cannot use your passkey: open it at the address where you registered it.',
}

export type PasskeyLabels = typeof englishPasskeyLabels
