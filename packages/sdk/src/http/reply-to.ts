/** A response without its body, if the request wants only the headers of GET. Then a stream ends before it has begun. */
export async function replyTo(request: Request, response: Response): Promise<Response> {
  if (request.method !== 'HEAD') return response
  await response.body?.cancel()
  return new Response(null, response)
}
