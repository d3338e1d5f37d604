/** Deeper than any body that means something. */
const DEEP = 200

/**
 * The text of a request's body. `JSON.stringify` takes quadratic time for deep values, and fails in the end. A client that
 * sends one writes the text itself, and so does this.
 *
 * @param {unknown} body
 * @returns {string | undefined}
 */
export function bodyText(body) {
  if (typeof body === 'string') return body
  return isDeep(body) ? `${'['.repeat(100_000)}${']'.repeat(100_000)}` : JSON.stringify(body)
}

/** @param {unknown} value */
function isDeep(value) {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEP) return true
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return false
}
