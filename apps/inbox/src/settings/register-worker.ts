const WORKER = '/worker.js'

interface Policy {
  createScriptURL(url: string): string
}

/** What browsers with trusted types have, as the part that is used here. */
interface TrustedTypes {
  createPolicy(name: string, rules: Policy): Policy
}

/** Starts the service worker: it shows notices, and a plain page without a connection. Browsers want HTTPS, or this machine. */
export async function registerWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  // The policy lets this one script in.
  const policy = trustedTypes?.createPolicy('sandagent-inbox', { createScriptURL: () => WORKER })
  await navigator.serviceWorker.register(policy?.createScriptURL(WORKER) ?? WORKER)
}
