const PLACEHOLDER = /\{\{\s*(json\s+)?([^\s{}?]+)\s*(?:\?\?\s*([^{}]*?)\s*)?\}\}/g

/**
 * Fills the placeholders of a text. `{{name}}` is the value, `{{name ?? text}}` takes the text for an empty value,
 * and `{{json name}}` writes the value as a JSON string: the way for a person's words into code.
 */
export const fillTemplate = (template: string, lookUp: (name: string) => string): string =>
  template.replace(PLACEHOLDER, (_, json: string | undefined, name: string, fallback = '') => {
    const value = lookUp(name) || fallback
    return json ? JSON.stringify(value) : value
  })

/** The names that the placeholders of a text use. */
export const namesIn = (template: string): string[] =>
  Array.from(template.matchAll(PLACEHOLDER), ([, , name]) => name as string)
