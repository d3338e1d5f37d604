/** A URL to which messages can be posted; `null` for any other text. `fetch` takes no URL with a user name or a password. */
export function postableUrl(text: string): URL | null {
  const url = parsed(text)
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:'
  return url && isHttp && url.username === '' && url.password === '' ? url : null
}

/** Not by `URL.canParse`: that of Node 20, once it is compiled, takes some texts that `URL` itself does not. */
function parsed(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}
