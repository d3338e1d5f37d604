export interface Hint {
  namespace: string
  key: string
}

export interface Change extends Hint {
  version: string
}

/** A text for a map. A namespace has no space. */
export const hintText = ({ namespace, key }: Hint): string => `${namespace} ${key}`

export const changeText = ({ version, ...hint }: Change): string => `${version} ${hintText(hint)}`

/** Any role can notify. A text that is none of ours names a question that nobody follows. */
export function changeOf(text: string): Change {
  const [version = '', namespace = ''] = text.split(' ', 2)
  return { version, namespace, key: text.slice(version.length + namespace.length + 2) }
}
