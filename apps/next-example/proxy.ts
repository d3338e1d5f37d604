import { NextResponse } from 'next/server'
import { currentUser, newSession, SESSION_COOKIE } from './lib/session.ts'

export const config = { matcher: '/' }

/** Gives whoever opens the page a session. Put your sign-in in its place. */
export async function proxy(request: Request): Promise<NextResponse> {
  const response = NextResponse.next()
  if ((await currentUser()) === null)
    response.cookies.set(SESSION_COOKIE, newSession(), {
      httpOnly: true,
      sameSite: 'lax',
      secure: new URL(request.url).protocol === 'https:',
    })
  return response
}
