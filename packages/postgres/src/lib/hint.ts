import { createHash } from 'node:crypto'

export interface Hint {
  namespace: string
  key: string
}

/** The two texts of a question: its record, or its answer. */
export type Kind = 'q' | 'a'

export interface Change extends Hint {
  kind: Kind
  version: string
}

/** Where the changes of a namespace are told. A name of a channel has up to 63 characters. */
export const channelOf = (schema: string, namespace: string): string =>
  `sandagent_${createHash('sha256').update(`${schema}/${namespace}`).digest('hex').slice(0, 40)}`

/** A text for a map. A namespace has no space. */
export const hintText = ({ namespace, key }: Hint): string => `${namespace} ${key}`

export const changeText = ({ kind, version, ...hint }: Change): string =>
  `${kind} ${version} ${hintText(hint)}`

/** Any role can notify. A text that is none of ours names a question that nobody follows. */
export function changeOf(text: string): Change {
  const [kind = '', version = '', namespace = ''] = text.split(' ', 3)
  const key = text.slice(kind.length + version.length + namespace.length + 3)
  return { kind: kind === 'q' ? 'q' : 'a', version, namespace, key }
}
