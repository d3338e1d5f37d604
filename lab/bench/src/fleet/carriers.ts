import type { Carrier } from './carrier.ts'
import { nats } from './nats.ts'
import { postgres } from './postgres.ts'

export const carriers: Readonly<Record<string, Carrier>> = { postgres, nats }

export function carrierOf(name: string | undefined): Carrier {
  const carrier = carriers[name ?? '']
  if (carrier) return carrier
  throw new Error(`There is no carrier ${name}`)
}
