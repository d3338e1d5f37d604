import { LOOPBACK_HOSTS } from '@sandagent/sdk'

/** Whether a message may go to an address: by HTTPS, and by HTTP only on this machine. */
export function isSafeUrl(url: string): boolean {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' }
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK_HOSTS.includes(hostname))
}

export const SAFE_URL = 'an address that begins with https://'
