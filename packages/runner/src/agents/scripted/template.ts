const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

interface Placeholder {
  name: string
  isJson: boolean
  /** What stands in for an empty value. */
  fallback: string
}

/**
 * Fills the placeholders of a text. `{{name}}` is the value, `{{name ?? text}}` takes the text for an empty value,
 * and `{{json name}}` writes the value as a JSON string: the way for a person's words into code.
 */
export const fillTemplate = (template: string, lookUp: (name: string) => string): string =>
  template.replace(PLACEHOLDER, (whole, content: string) => {
    const placeholder = readPlaceholder(content)
    if (!placeholder) return whole
    const value = lookUp(placeholder.name) || placeholder.fallback
    return placeholder.isJson ? JSON.stringify(value) : value
  })

/** The names that the placeholders of a text use. */
export const namesIn = (template: string): string[] =>
  Array.from(template.matchAll(PLACEHOLDER)).flatMap(
    ([, content]) => readPlaceholder(content as string)?.name ?? [],
  )

/** What stands between the braces; `null` for what is no placeholder. */
function readPlaceholder(content: string): Placeholder | null {
  const [left = '', ...fallback] = content.split('??')
  const words = left.trim().split(/\s+/)
  const name = words.pop() as string
  const isJson = words[0] === 'json'
  if (name === '' || name.includes('?') || words.length > (isJson ? 1 : 0)) return null
  return { name, isJson, fallback: fallback.join('??').trim() }
}
