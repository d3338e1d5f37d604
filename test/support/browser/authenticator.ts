import type { CDPSession, Page } from 'playwright-core'

/** The browser's own authenticator for tests: it keeps passkeys, and signs as a real one does. */
export interface Authenticator {
  /** The next person in front of it is verified, or not: with `false`, the browser's dialog ends as one that is cancelled. */
  verifies(isVerified: boolean): Promise<void>
  /** The person has another one now, which has none of the passkeys. */
  lose(): Promise<void>
  /** Whether somebody touches it when it asks. */
  isTouched(isTouched: boolean): Promise<void>
  /** How many passkeys it has. */
  count(): Promise<number>
  /** How often it says that it has signed, from now on: it is a copy that signed less. */
  countFrom(signCount: number): Promise<void>
}

/** Gives a page an authenticator that belongs to the machine, as most people have one. */
export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const client: CDPSession = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    verifies: async (isUserVerified) =>
      void (await client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })),
    isTouched: async (enabled) =>
      void (await client.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })),
    count: async () => (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    async countFrom(signCount) {
      const { credentials } = await client.send('WebAuthn.getCredentials', { authenticatorId })
      for (const credential of credentials) {
        const { credentialId } = credential
        await client.send('WebAuthn.removeCredential', { authenticatorId, credentialId })
        await client.send('WebAuthn.addCredential', {
          authenticatorId,
          credential: { ...credential, signCount },
        })
      }
    },
    lose: async () => void (await client.send('WebAuthn.clearCredentials', { authenticatorId })),
  }
}
