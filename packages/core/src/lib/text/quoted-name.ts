import { visible } from './printable.ts'

const MOST_NAME = 60
const PLAIN_NAME = /^[\w.@+-]{1,60}$/

/** Whether a foreign name may stand among words of ours as it is: nobody takes it for them, or for another name. */
export const isPlainName = (name: string): boolean => PLAIN_NAME.test(name)

/** A foreign name among words of ours: quoted where it is no plain one, so that nobody takes it for them. */
export const quotedName = (name: string): string => (isPlainName(name) ? name : inQuotes(name))

/** Foreign words among words of ours, cut to `most` characters. No quotation mark in them ends the quotation. */
export function inQuotes(words: string, most: number = MOST_NAME): string {
  const cut = words.length > most ? `${words.slice(0, most)}…` : words
  return `“${visible(cut)
    .replace(/\s/g, ' ')
    .replace(/["“-‟«»＂]/g, "'")}”`
}
