/** What a request asks for: its method, and the last part of its path. */
export interface Route {
  /** HEAD asks for the headers that GET gets. */
  method: string
  /** Some servers put a slash behind every path. */
  name: string
}

export function routeOf({ method, url }: { method: string; url: string }): Route {
  const [path = ''] = url.split(/[?#]/)
  const name = path.split('/').findLast((part) => part !== '') ?? ''
  return { method: method === 'HEAD' ? 'GET' : method, name }
}
