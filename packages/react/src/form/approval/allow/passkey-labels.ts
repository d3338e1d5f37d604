/** The texts of `<ToolApproval>` where a passkey must sign, in English. */
export const englishPasskeyLabels = {
  passkeyAsked: 'Your passkey confirms that you allow it.',
  /** The person has none that counts, or this page cannot use it. */
  passkeyNone:
    'Only a passkey allows this, and none of yours counts here. Register one in the settings of the inbox: runs that start then know it. You can deny it.',
  passkeyWaits: 'Confirm with your passkey.',
  passkeyCancelled: 'The passkey was not used, so nothing was sent.',
  /** Somebody stored an answer that allows it without a passkey. */
  passkeyMissing:
    'Somebody stored an answer that no passkey has signed. It does not count, and the agent still waits. Whoever did it may have the key of the host: replace it.',
  passkeyWrongSite: 'This page cannot use your passkey: open it at the address where you registered it.',
}

export type PasskeyLabels = typeof englishPasskeyLabels
