/** What a request asks for: its method, and the last part of its path as a name. */
export function routeOf({ method, url }: { method: string; url: string }): { method: string; name: string } {
  const [path = ''] = url.split(/[?#]/)
  // Some servers put a slash behind every path.
  const name = path.split('/').findLast((part) => part !== '') ?? ''
  // HEAD asks for the headers that GET gets.
  return { method: method === 'HEAD' ? 'GET' : method, name }
}
