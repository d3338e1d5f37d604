import { daytonaPlace } from './daytona-place.ts'
import { e2bPlace } from './e2b-place.ts'
import { filePlace } from './file-place.ts'
import type { OpenPlace } from './vendor-contract.ts'
import { vercelPlace } from './vercel-place.ts'

/** Sandboxes of vendors, with stand-ins for their services. */
export const VENDORS: [name: string, open: OpenPlace][] = [
  ['E2B, by its package', e2bPlace],
  ['Vercel, by its package', vercelPlace],
  ['Daytona, without its package', daytonaPlace],
  ['nobody, by a file API alone', filePlace],
]
