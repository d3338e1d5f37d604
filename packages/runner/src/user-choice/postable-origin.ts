/**
 * The origin of a URL to which messages can be posted; `null` for any other text. `fetch` takes no URL with a user name or
 * a password.
 */
export function postableOrigin(url: string): string | null {
  const { protocol, origin, username, password } = parsed(url) ?? {}
  const isHttp = protocol === 'http:' || protocol === 'https:'
  return isHttp && origin !== undefined && username === '' && password === '' ? origin : null
}

/** Not by `URL.canParse`: that of Node 20, once it is compiled, takes some texts that `URL` itself does not. */
function parsed(url: string): URL | null {
  try {
    return new URL(url)
  } catch {
    return null
  }
}
