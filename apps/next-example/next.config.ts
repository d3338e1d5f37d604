import { randomBytes } from 'node:crypto'
import type { NextConfig } from 'next'

// Signs the sessions. Without a secret of your own they end with this server, and no second one knows them.
process.env.SESSION_SECRET ??= randomBytes(32).toString('hex')

const config: NextConfig = {
  poweredByHeader: false,
}

export default config
