import { readMessages } from '@sandagent/ai-sdk'
import { LOOPBACK_HOSTS } from '@sandagent/sdk'
import { headers } from 'next/headers'
import { Suspense } from 'react'
import { Chat } from './chat'

async function SavedChat() {
  const { hostname } = new URL(`http://${(await headers()).get('host')}`)
  const isMine = process.env.NODE_ENV === 'development' && LOOPBACK_HOSTS.includes(hostname)
  const owner = isMine ? 'me' : null // Your sign-in goes here, too.
  if (!owner) return 'Sign in first'
  return <Chat saved={await readMessages({ folder: 'workspace', chatId: 'first', owner })} />
}

export default function Page() {
  return (
    <Suspense>
      <SavedChat />
    </Suspense>
  )
}
