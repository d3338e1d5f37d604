import { visible } from './printable.ts'

const MOST_NAME = 60
const PLAIN_NAME = /^[\w.@+-]{1,60}$/

/** Whether a foreign name may stand among words of ours as it is: nobody takes it for them, or for another name. */
export const isPlainName = (name: string): boolean => PLAIN_NAME.test(name)

/** A foreign name among words of ours: quoted where it is no plain one, so that nobody takes it for them. */
export function quotedName(name: string): string {
  if (isPlainName(name)) return name
  const cut = name.length > MOST_NAME ? `${name.slice(0, MOST_NAME)}…` : name
  // No quotation mark in it ends the quotation.
  return `“${visible(cut)
    .replace(/\s/g, ' ')
    .replace(/["“-‟«»＂]/g, "'")}”`
}
