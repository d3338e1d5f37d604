import { lasting } from '../../../lasting.ts'
import type { WalkView } from '../../walk/entry.ts'
import type { Walk } from '../../walk/walk.ts'
import type { Paint } from '../draw/paint.ts'
import { cutLine, widthOf } from '../draw/wrap.ts'

/** It is there where the keys of the form have no room. */
const HELP = '? keys'

/** Where the person is in the walk: `2 of 7 · blog · 3 min`. */
export function headLine(
  { entry, place, count }: WalkView,
  { nameOf, paint, width, now }: { nameOf: Walk['nameOf']; paint: Paint; width: number; now: number },
): string {
  if (!entry) return ''
  const { item } = entry
  const { askedAt } = item.question
  const parts = [`${place} of ${count}`, nameOf(item), askedAt && lasting(now - Date.parse(askedAt))]
  const text = cutLine(parts.filter(Boolean).join(' · '), width - HELP.length - 1)
  return `${paint.bold(text)}${' '.repeat(Math.max(1, width - widthOf(text) - HELP.length))}${paint.dim(HELP)}`
}

export const timeAt = (at: number): string => new Date(at).toLocaleTimeString([], { timeStyle: 'short' })
