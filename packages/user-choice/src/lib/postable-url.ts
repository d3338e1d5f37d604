/** `null` unless the text is an http(s) URL without a user name or password, which `fetch` does not take. */
export function postableUrl(text: string): URL | null {
  const url = parsed(text)
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:'
  return url && isHttp && url.username === '' && url.password === '' ? url : null
}

/** In Node 20, the compiled `URL.canParse` accepts some texts that `URL` rejects. */
function parsed(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}
