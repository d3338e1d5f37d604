const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

interface Placeholder {
  name: string
  isJson: boolean
  /** For an empty value. */
  fallback: string
}

/**
 * Fills the placeholders of a text: `{{name}}` with the value, `{{name ?? text}}` with the text if the value is empty,
 * and `{{json name}}` with a JSON string, which is safe in code.
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

/** Reads the text between the braces; `null` if it is no placeholder. */
function readPlaceholder(content: string): Placeholder | null {
  const [left = '', ...fallback] = content.split('??')
  const words = left.trim().split(/\s+/)
  const name = words.pop() as string
  const isJson = words[0] === 'json'
  if (name === '' || name.includes('?') || words.length > (isJson ? 1 : 0)) return null
  return { name, isJson, fallback: fallback.join('??').trim() }
}
